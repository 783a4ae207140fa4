// RUN: spmd-opt %s --split-input-file --spmd-import-shardings | FileCheck %s

// Meshes of different sizes: a smaller one gets an axis along which the other devices hold copies.

// CHECK-NOT: @unused
// CHECK: sdy.mesh @all = <["x"=2, "y"=4]>
// CHECK: sdy.mesh @half = <["idle"=2, "z"=4]>
// CHECK: sdy.mesh @turned = <["idle"=4, "w"=2], device_ids=[1, 0, 3, 2, 5, 4, 7, 6]>
// CHECK-LABEL: func @moves
// CHECK-SAME: #sdy.sharding<@all, [{"x"}, {"y"}]>
// CHECK: sdy.sharding_constraint %arg0 <@half, [{"z"}, {}]>
// CHECK: sdy.sharding_constraint %{{.*}} <@turned, [{}, {"w"}]>
sdy.mesh @unused = <["u"=3]>
sdy.mesh @all = <["x"=2, "y"=4]>
sdy.mesh @half = <["z"=4]> {stablehlo.mesh = {axes = [{name = "z", size = 4 : i64}]}}
sdy.mesh @turned = <["w"=2], device_ids=[1, 0]>
func.func @moves(%arg0: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@all, [{"x"}, {"y"}]>}) -> tensor<8x12xf32> {
  %0 = sdy.sharding_constraint %arg0 <@half, [{"z"}, {}]> : tensor<8x12xf32>
  %1 = sdy.sharding_constraint %0 <@turned, [{}, {"w"}]> : tensor<8x12xf32>
  return %1 : tensor<8x12xf32>
}

// -----

// A manual computation without communication may stand on a smaller mesh.
// CHECK: sdy.mesh @half = <["idle"=2, "z"=4]>
// CHECK-LABEL: func @local
// CHECK: sdy.manual_computation(%arg0) in_shardings=[<@half, [{"z"}]>] out_shardings=[<@half, [{"z"}]>] manual_axes={"z"}
sdy.mesh @all = <["x"=8]>
sdy.mesh @half = <["z"=4]>
func.func @local(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@all, [{"x"}]>}) -> tensor<8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@half, [{"z"}]>] out_shardings=[<@half, [{"z"}]>] manual_axes={"z"} (%arg1: tensor<2xf32>) {
    %1 = stablehlo.negate %arg1 : tensor<2xf32>
    sdy.return %1 : tensor<2xf32>
  } : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// Nothing names a mesh: all stay.
// CHECK: sdy.mesh @a = <["x"=2]>
// CHECK: sdy.mesh @b = <["x"=3]>
sdy.mesh @a = <["x"=2]>
sdy.mesh @b = <["x"=3]>
func.func @none(%arg0: tensor<8xf32>) { return }

// -----

// Axes of a dim that has no elements are dropped.
// CHECK-LABEL: func @empty_dims
// CHECK-SAME: %arg0: tensor<0x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}
// CHECK-SAME: -> (tensor<0x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
// CHECK: sdy.sharding_constraint %arg0 <@mesh, [{?}, {}]>
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @empty_dims(%arg0: tensor<0x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<0x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x", ?}, {}]> : tensor<0x4xf32>
  return %0 : tensor<0x4xf32>
}

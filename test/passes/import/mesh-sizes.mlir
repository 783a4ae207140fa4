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

// Meshes inside shardings grow in place. A mesh that nothing names has no say.
// CHECK-NOT: @unused
// CHECK-LABEL: func @inlined
// CHECK-SAME: #sdy.sharding<mesh<["idle"=2, "x"=2]>, [{"x"}]>
// CHECK-SAME: #sdy.sharding<mesh<["z"=4]>, [{"z"}]>
// CHECK: sdy.sharding_constraint %arg0 <mesh<["idle"=2, "w"=2], device_ids=[1, 0, 3, 2]>, [{"w"}]>
sdy.mesh @unused = <["u"=8]>
func.func @inlined(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>}, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<mesh<["z"=4]>, [{"z"}]>}) -> tensor<8xf32> {
  %0 = sdy.sharding_constraint %arg0 <mesh<["w"=2], device_ids=[1, 0]>, [{"w"}]> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The module says that it has more devices than its largest mesh.
// CHECK: sdy.mesh @half = <["idle"=2, "z"=4]>
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @half = <["z"=4]>
  sdy.mesh @unused = <["u"=8]>
  func.func @said(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@half, [{"z"}]>}) { return }
}

// -----

// A mesh that no sharding names may be one that a plan names.
// CHECK: sdy.mesh @half = <["idle"=2, "z"=4]>
module attributes {mhlo.num_partitions = 8 : i32} {
  sdy.mesh @half = <["z"=4]>
  func.func @unannotated(%arg0: tensor<8xf32>) { return }
}

// -----

// GSPMD's notation names more devices than the mesh beside it.
// CHECK: sdy.mesh @half = <["idle"=2, "z"=4]>
// CHECK-LABEL: func @both_notations
// CHECK-SAME: #sdy.sharding<@half, [{"z"}]>
// CHECK-SAME: #sdy.sharding<@half, [{"idle", "z"}]>
sdy.mesh @half = <["z"=4]>
func.func @both_notations(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@half, [{"z"}]>}, %arg1: tensor<8xf32> {mhlo.sharding = "{mesh['q'=8], [{'q'}]}"}) { return }

// -----

// Functions that nothing calls have no say.
// CHECK-NOT: @five
// CHECK-NOT: @dead
// CHECK: func private @called
sdy.mesh @all = <["x"=8]>
sdy.mesh @five = <["p"=5]>
func.func @main(%arg0: tensor<10xf32> {sdy.sharding = #sdy.sharding<@all, [{"x"}]>}) -> tensor<10xf32> {
  %0 = call @called(%arg0) : (tensor<10xf32>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}
func.func private @called(%arg0: tensor<10xf32>) -> tensor<10xf32> { return %arg0 : tensor<10xf32> }
func.func private @dead(%arg0: tensor<10xf32> {sdy.sharding = #sdy.sharding<@five, [{"p"}]>}) -> tensor<10xf32> {
  %0 = call @dead_too(%arg0) : (tensor<10xf32>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
}
func.func private @dead_too(%arg0: tensor<10xf32>) -> tensor<10xf32> {
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[7]<=[7]}"} : (tensor<10xf32>) -> tensor<10xf32>
  return %0 : tensor<10xf32>
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

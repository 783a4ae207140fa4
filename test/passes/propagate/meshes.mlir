// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics -o %t
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --spmd-propagate | diff %t -

// Devices in another order are the same devices: an op may meet both, and lies as its first operand does.
sdy.mesh @forward = <["x"=4]>
sdy.mesh @backward = <["y"=4], device_ids=[3, 2, 1, 0]>
// CHECK-LABEL: func.func @main(
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@forward, [{"x"}, {}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@backward, [{"y"}, {}]>}) -> tensor<4x8xf32> {
  // CHECK: stablehlo.add {{.*}}<@forward, [{"x", ?}, {?}]>
  %0 = stablehlo.add %a, %b : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// Where all axes are manual, scalars lie on the mesh of the region, also where a conflict elsewhere was decided.
sdy.mesh @other = <["u"=2, "v"=2]>
// CHECK-LABEL: func.func @manual(
// CHECK: dot_general {{.*}}<@forward, [{?}, {"x", ?}]>
// CHECK: stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@other, []>]>, spmd.inferred}
func.func @manual(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@forward, [{"x"}, {}]>},
                  %w: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@forward, [{}, {"x"}]>},
                  %b: tensor<4x4xf32>) -> (tensor<4x16xf32>, tensor<4xf32>) {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x16xf32>) -> tensor<4x16xf32>
  %1 = stablehlo.tanh %0 : tensor<4x16xf32>
  %2 = sdy.manual_computation(%b) in_shardings=[<@other, [{}, {"u", "v"}]>] out_shardings=[<@other, [{}], replicated={"u", "v"}>] manual_axes={"u", "v"} (%c: tensor<4x1xf32>) {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %3 = stablehlo.reduce(%c init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4x1xf32>, tensor<f32>) -> tensor<4xf32>
    sdy.return %3 : tensor<4xf32>
  } : (tensor<4x4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4x16xf32>, tensor<4xf32>
}

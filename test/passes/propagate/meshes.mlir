// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics | FileCheck %s

// Devices in another order are the same devices: an op may meet both, and lies as its first operand does.
sdy.mesh @forward = <["x"=4]>
sdy.mesh @backward = <["y"=4], device_ids=[3, 2, 1, 0]>
// CHECK-LABEL: func.func @main(
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@forward, [{"x"}, {}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@backward, [{"y"}, {}]>}) -> tensor<4x8xf32> {
  // CHECK: stablehlo.add {{.*}}<@forward, [{"x", ?}, {?}]>
  %0 = stablehlo.add %a, %b : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

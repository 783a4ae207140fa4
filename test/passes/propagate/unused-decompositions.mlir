// RUN: spmd-opt %s --spmd-propagate=on-missing=error | FileCheck %s

// A composite that has a rule of its own is split by that; its decomposition runs nowhere, and nothing is missing there.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @main(
// CHECK: stablehlo.composite "my.op" %arg0 {{.*}}<@mesh, [{"x", ?}, {?}]>
// CHECK: func.func private @decomposition(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>, spmd.inferred})
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.composite "my.op" %a {decomposition = @decomposition, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func private @decomposition(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

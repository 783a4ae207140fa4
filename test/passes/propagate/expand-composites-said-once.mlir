// RUN: spmd-opt %s --spmd-propagate --spmd-expand-composites --verify-diagnostics | FileCheck %s

// What nothing reached in a decomposition is reported once, however many copies of it there are.
sdy.mesh @mesh = <["x"=2, "y"=3]>
// CHECK-LABEL: func.func @main(
// CHECK: call @own_0(
// CHECK: call @own_1(
func.func @main(%a: tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<8x5xf32>, tensor<8x5xf32>) {
  %0 = stablehlo.composite "my.own" %a {decomposition = @own, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=5}>} : (tensor<8x5xf32>) -> tensor<8x5xf32>
  %1 = stablehlo.composite "my.own" %b {decomposition = @own, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=5}>} : (tensor<8x5xf32>) -> tensor<8x5xf32>
  return %0, %1 : tensor<8x5xf32>, tensor<8x5xf32>
}
// expected-note @below {{made of what lies as}}
func.func private @own(%a: tensor<8x5xf32>) -> tensor<8x5xf32> {
  // expected-warning @below {{'stablehlo.custom_call' op result 0 has no sharding; annotate it or set on-missing=replicate}}
  // expected-note @below {{'stablehlo.custom_call' has no sharding rule, so nothing passes through it}}
  // expected-note @below {{to split it, write}}
  // expected-note @below {{so with 1 more value of this line, 64 bytes in all}}
  %0 = stablehlo.custom_call @my.sum(%a) : (tensor<8x5xf32>) -> tensor<8xf32>
  // expected-note @below {{used by 'stablehlo.custom_call' as operand 1 here}}
  // expected-note @below {{used for what lies as}}
  %1 = stablehlo.custom_call @my.scale(%a, %0) : (tensor<8x5xf32>, tensor<8xf32>) -> tensor<8x5xf32>
  return %1 : tensor<8x5xf32>
}

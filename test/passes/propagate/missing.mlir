// RUN: spmd-opt %s --spmd-propagate=on-missing=warn --verify-diagnostics | FileCheck %s

sdy.mesh @mesh = <["x"=2]>

// Flagged and left alone; the words are the same as of an error.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg1: tensor<4xf32> {spmd.missing_sharding}
// CHECK: stablehlo.negate %arg1 {spmd.missing_sharding} :

// expected-warning @below {{argument 1 of @main has no sharding; annotate it or set on-missing=replicate}}
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-note @below {{used by 'stablehlo.negate' as operand 0 here}}
  // expected-warning @below {{'stablehlo.negate' op result 0 has no sharding; annotate it or set on-missing=replicate}}
  %0 = stablehlo.negate %b : tensor<4xf32>
  // expected-note @below {{used by 'func.return' as operand 1 here; operand 0 dim 0 is sharded on "x"}}
  return %a, %0 : tensor<4xf32>, tensor<4xf32>
}

// Nothing is flagged that is whole on purpose: scalars, constants, closed dims and what shares a factor with one.
func.func @whole_on_purpose(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %s: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
  %1 = stablehlo.add %a, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// RUN: spmd-opt %s --spmd-propagate=on-missing=warn --verify-diagnostics | FileCheck %s

sdy.mesh @mesh = <["x"=2]>

// Flagged and left alone; the words are the same as of an error.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg1: tensor<4xf32> {spmd.missing_sharding}
// CHECK: stablehlo.negate %arg1 {spmd.missing_sharding} :

// expected-note @below {{to split it, write: %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}}}
// expected-warning @below {{argument 1 of @main has no sharding; annotate it or set on-missing=replicate}}
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-note @below {{used by 'stablehlo.negate' as operand 0 here}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xf32>}}
  // expected-warning @below {{'stablehlo.negate' op result 0 has no sharding; annotate it or set on-missing=replicate}}
  %0 = stablehlo.negate %b : tensor<4xf32>
  // expected-note @below {{used by 'func.return' as operand 1 here; operand 0 dim 0 is sharded on "x"}}
  return %a, %0 : tensor<4xf32>, tensor<4xf32>
}

// What is sharded around a value is told, on both sides, and how far away; a size that no axis divides is split all the
// same, one that is too small for every axis is not offered.
// CHECK-LABEL: func.func @around(
// expected-note @below {{made of what lies as [{"x"}], 1 op before}}
// expected-note @below {{made of what lies as [{"x"}], 2 ops before}}
func.func @around(%a: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<3xf32> {
  // expected-warning @below {{'stablehlo.custom_call' op result 0 has no sharding}}
  // expected-note @below {{'stablehlo.custom_call' has no sharding rule, so nothing passes through it}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<5xf32>}}
  %0 = stablehlo.custom_call @unheard_of(%a) : (tensor<5xf32>) -> tensor<5xf32>
  // expected-note @below {{used by 'stablehlo.custom_call' as operand 0 here}}
  // expected-warning @below {{'stablehlo.custom_call' op result 0 has no sharding}}
  // expected-note @below {{'stablehlo.custom_call' has no sharding rule, so nothing passes through it}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %1 <@mesh, [{"x"}, {?}]> : tensor<3x1xf32>}}
  %1 = stablehlo.custom_call @unheard_of(%0) : (tensor<5xf32>) -> tensor<3x1xf32>
  // expected-note @below {{used by 'stablehlo.custom_call' as operand 0 here}}
  // expected-note @below {{used for what lies as [{"x"}], 2 ops behind}}
  // expected-note @below {{used for what lies as [{"x"}], 1 op behind}}
  %2 = stablehlo.custom_call @unheard_of(%1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<3x1xf32>) -> tensor<3xf32>
  return %2 : tensor<3xf32>
}

// Nothing is flagged that is whole on purpose: scalars, constants, closed dims and what shares a factor with one.
func.func @whole_on_purpose(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %s: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.constant dense<1.0> : tensor<4xf32>
  %1 = stablehlo.add %a, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// Of several results each is made of its own operand, not of what stands beside it.
// CHECK-LABEL: func.func @beside(
// expected-warning @below {{argument 1 of @beside has no sharding}}
// expected-note @below {{to split it, write: %b: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}}}
func.func @beside(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<6xf32>) -> (tensor<4xf32>, tensor<6xf32>) {
  // expected-note @below {{used by 'stablehlo.optimization_barrier' as operand 1 here; operand 0 dim 0 is sharded on "x"}}
  // expected-note @below {{used for what lies as [{"x", ?}], 1 op behind}}
  // expected-warning @below {{'stablehlo.optimization_barrier' op result 1 has no sharding}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %1#1 <@mesh, [{"x"}]> : tensor<6xf32>}}
  %1:2 = stablehlo.optimization_barrier %a, %b : tensor<4xf32>, tensor<6xf32>
  // expected-note @below {{used by 'func.return' as operand 1 here}}
  return %1#0, %1#1 : tensor<4xf32>, tensor<6xf32>
}

// What is made of a value that is whole on purpose is not whole on purpose itself, where nothing ties its dims to that.
// CHECK-LABEL: func.func @made_of_whole(
// CHECK: stablehlo.cholesky {{.*}}spmd.missing_sharding
func.func @made_of_whole(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<4x4xf32> {
  // expected-warning @below {{'stablehlo.cholesky' op result 0 has no sharding}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %0 }}
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  // expected-note @below {{used by 'func.return' as operand 0 here}}
  return %0 : tensor<4x4xf32>
}

// What has no elements has nothing to split, however it is made.
// CHECK-LABEL: func.func @without_elements(
// CHECK: stablehlo.dynamic_slice
// CHECK-NOT: missing
func.func @without_elements(%a: tensor<10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<i32>) -> tensor<0x3xf32> {
  %0 = stablehlo.dynamic_slice %a, %i, %i, sizes = [0, 3] : (tensor<10x7xf32>, tensor<i32>, tensor<i32>) -> tensor<0x3xf32>
  return %0 : tensor<0x3xf32>
}

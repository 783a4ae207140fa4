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

// What is made of values alone that are whole on purpose is so, too, in loops and calls.
// CHECK-LABEL: func.func @made_whole(
// CHECK-NOT: missing_sharding
// CHECK-LABEL: func.func private @next(
// CHECK-NOT: missing_sharding
func.func @made_whole(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %n: tensor<i32>) -> tensor<4x4xf32> {
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  %ones = stablehlo.constant dense<1.0> : tensor<4x4xf32>
  %1:2 = stablehlo.optimization_barrier %ones, %0 : tensor<4x4xf32>, tensor<4x4xf32>
  %2 = func.call @next(%1#1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %3:2 = stablehlo.while(%i = %n, %c = %2) : tensor<i32>, tensor<4x4xf32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %more = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %less = stablehlo.subtract %i, %one : tensor<i32>
    %d = func.call @next(%c) : (tensor<4x4xf32>) -> tensor<4x4xf32>
    stablehlo.return %less, %d : tensor<i32>, tensor<4x4xf32>
  }
  %4 = stablehlo.add %3#1, %1#0 : tensor<4x4xf32>
  return %4 : tensor<4x4xf32>
}
func.func private @next(%b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.cholesky %b, lower = false : tensor<4x4xf32>
  return %0 : tensor<4x4xf32>
}

// What is larger needs a word: whole weights made of a random key are seldom meant.
// CHECK-LABEL: func.func @made_larger(
func.func @made_larger(%key: tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<2xui64>, tensor<64x16xui64>) {
  // expected-warning @below {{'stablehlo.rng_bit_generator' op result 1 has no sharding}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %0#1 }}
  %0:2 = stablehlo.rng_bit_generator %key, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<64x16xui64>)
  // expected-note @below {{used by 'func.return' as operand 1 here}}
  return %0#0, %0#1 : tensor<2xui64>, tensor<64x16xui64>
}

// An argument that nobody spoke of is not, nor what is made of something split, by an op without a rule, or at random.
// CHECK-LABEL: func.func @made_of_others(
// CHECK-SAME: %arg2: tensor<4x4xf32> {spmd.missing_sharding}
func.func @made_of_others(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                          // expected-note @below {{made of what lies as [{"x"}, {}], 1 op before}}
                          %split: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                          // expected-warning @below {{argument 2 of @made_of_others has no sharding}}
                          // expected-note @below {{to split it, write: %c: tensor<4x4xf32>}}
                          %c: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>) {
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  // expected-note @below {{used by 'stablehlo.add' as operand 1 here}}
  // expected-warning @below {{'stablehlo.add' op result 0 has no sharding}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %1 }}
  %1 = stablehlo.add %0, %c : tensor<4x4xf32>
  // expected-warning @below {{'stablehlo.cholesky' op result 0 has no sharding}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %2 }}
  %2 = stablehlo.cholesky %split, lower = true : tensor<4x4xf32>
  // expected-warning @below {{'stablehlo.custom_call' op result 0 has no sharding}}
  // expected-note @below {{'stablehlo.custom_call' has no sharding rule}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %3 }}
  %3 = stablehlo.custom_call @unheard_of(%a) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<4> : tensor<2xi64>
  // expected-warning @below {{'stablehlo.rng' op result 0 has no sharding}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %4 }}
  %4 = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x4xf32>
  // expected-note @below {{used by 'func.return' as operand 0 here}}
  // expected-note @below {{used by 'func.return' as operand 1 here}}
  // expected-note @below {{used by 'func.return' as operand 2 here}}
  // expected-note @below {{used by 'func.return' as operand 3 here}}
  return %1, %2, %3, %4 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>, tensor<4x4xf32>
}

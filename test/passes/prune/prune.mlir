// RUN: spmd-opt %s --spmd-prune --split-input-file | FileCheck %s --implicit-check-not='func.func private @gone'
// RUN: spmd-opt %s --spmd-prune --split-input-file -o %t
// RUN: spmd-opt %t --spmd-prune --split-input-file | diff %t -

// A result that nobody reads, what it was made of, and the argument that only it needed.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @main(%arg0: tensor<4xf32>, %arg1: tensor<6xf32>)
// CHECK-NEXT: %[[R:.+]] = call @both(%arg0) {kept, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[R]]
func.func @main(%a: tensor<4xf32>, %b: tensor<6xf32>) -> tensor<4xf32> {
  %c = stablehlo.tanh %b : tensor<6xf32>
  %0:2 = call @both(%c, %a) {kept, sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}]>]>, spmd.inferred = array<i64: 0>} : (tensor<6xf32>, tensor<4xf32>) -> (tensor<f32>, tensor<4xf32>)
  %1 = stablehlo.negate %0#0 : tensor<f32>
  return %0#1 : tensor<4xf32>
}
// CHECK: func.func private @both(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
// CHECK-NEXT: %[[T:.+]] = stablehlo.tanh %arg0
// CHECK-NEXT: return %[[T]]
func.func private @both(%b: tensor<6xf32>, %a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<f32>, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%b init: %z) applies stablehlo.add across dimensions = [0] : (tensor<6xf32>, tensor<f32>) -> tensor<f32>
  %t = stablehlo.tanh %a : tensor<4xf32>
  return %s, %t : tensor<f32>, tensor<4xf32>
}

// -----

// An argument that one function does not read need not be made by another.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: %[[A:.+]] = call @make(%arg0) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: %[[B:.+]] = call @read(%[[A]]) : (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[B]]
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = call @make(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<6xf32>)
  %1 = call @read(%0#0, %0#1) : (tensor<4xf32>, tensor<6xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK: func.func private @make(%arg0: tensor<4xf32>) -> tensor<4xf32> {
// CHECK-NEXT: return %arg0
func.func private @make(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<6xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<6xf32>
  return %a, %0 : tensor<4xf32>, tensor<6xf32>
}
// CHECK: func.func private @read(%arg0: tensor<4xf32>) -> tensor<4xf32> {
func.func private @read(%a: tensor<4xf32>, %b: tensor<6xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// Functions that nobody calls any more go, with what only they called, and regions that compute nothing.
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: return %arg0
func.func @main(%a: tensor<4xf32>, %p: tensor<i1>) -> tensor<4xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.negate %a : tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }, {
    stablehlo.return %a : tensor<4xf32>
  }) : (tensor<i1>) -> tensor<4xf32>
  %2 = call @gone(%0) : (tensor<4xf32>) -> tensor<4xf32>
  return %a : tensor<4xf32>
}
func.func private @gone(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @gone_too(%a) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}
func.func private @gone_too(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// What has an effect stays, and so does a function that others than calls name.
// CHECK-LABEL: func.func @main(
// CHECK: call @print(
// CHECK: stablehlo.composite "my.c"
func.func @main(%a: tensor<4xf32>, %b: tensor<6xf32>) -> tensor<4xf32> {
  %0 = call @print(%a) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.composite "my.c" %a, %b {decomposition = @parts} : (tensor<4xf32>, tensor<6xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK: func.func private @print(%arg0: tensor<4xf32>)
func.func private @print(%a: tensor<4xf32>) -> tensor<4xf32> {
  stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<4xf32>) -> ()
  return %a : tensor<4xf32>
}
// CHECK: func.func private @parts(%arg0: tensor<4xf32>, %arg1: tensor<6xf32>)
func.func private @parts(%a: tensor<4xf32>, %b: tensor<6xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// Constraints have said what they had to say, and so have groups; a loop that only they kept goes with them.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: return %arg0
func.func @main(%a: tensor<4xf32>, %n: tensor<i32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}]> : tensor<4xf32>
  %2 = stablehlo.tanh %a : tensor<4xf32>
  sdy.sharding_group %2 group_id=0 : tensor<4xf32>
  %3 = stablehlo.while(%i = %n) : tensor<i32>
   cond {
    %4 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %4 = stablehlo.exponential %a : tensor<4xf32>
    %5 = sdy.sharding_constraint %4 <@mesh, [{"x"}]> : tensor<4xf32>
    sdy.sharding_group %5 group_id=0 : tensor<4xf32>
    %6 = stablehlo.add %i, %n : tensor<i32>
    stablehlo.return %6 : tensor<i32>
  }
  return %a : tensor<4xf32>
}

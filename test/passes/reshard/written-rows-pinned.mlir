// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-run %s
// RUN: sed 's/"x"=2/"x"=3/' %s | spmd-run -

// The same where the program says of each value how it lies, the counter of the loop included, and calls functions: it turns
// four times all the same, and the losses are reduced behind it.
sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @main
// CHECK: stablehlo.while
// CHECK-NOT: all_reduce
// CHECK: stablehlo.dynamic_update_slice
// CHECK: }
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NOT: all_reduce
func.func @main(%x: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<4xf32>
  %empty = sdy.sharding_constraint %none <@mesh, [{}]> : tensor<4xf32>
  %0:3 = stablehlo.while(%i = %zero, %state = %x, %losses = %empty) : tensor<i32>, tensor<7x5xf32>, tensor<4xf32>
  cond {
    %four = stablehlo.constant dense<4> : tensor<i32>
    %1 = sdy.sharding_constraint %i <@mesh, []> : tensor<i32>
    %2 = sdy.sharding_constraint %four <@mesh, []> : tensor<i32>
    %3 = stablehlo.compare LT, %1, %2 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %4 = sdy.sharding_constraint %3 <@mesh, []> : tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = sdy.sharding_constraint %i <@mesh, []> : tensor<i32>
    %2 = sdy.sharding_constraint %one <@mesh, []> : tensor<i32>
    %3 = stablehlo.add %1, %2 : tensor<i32>
    %4 = sdy.sharding_constraint %3 <@mesh, []> : tensor<i32>
    %5 = func.call @loss(%state) : (tensor<7x5xf32>) -> tensor<f32>
    %6 = func.call @keep(%losses, %5, %i) : (tensor<4xf32>, tensor<f32>, tensor<i32>) -> tensor<4xf32>
    %7 = stablehlo.tanh %state : tensor<7x5xf32>
    %8 = sdy.sharding_constraint %7 <@mesh, [{"x"}, {}]> : tensor<7x5xf32>
    stablehlo.return %4, %8, %6 : tensor<i32>, tensor<7x5xf32>, tensor<4xf32>
  }
  %9 = sdy.sharding_constraint %0#2 <@mesh, [{}]> : tensor<4xf32>
  return %0#1, %9 : tensor<7x5xf32>, tensor<4xf32>
}
func.func private @loss(%state: tensor<7x5xf32>) -> tensor<f32> {
  %start = stablehlo.constant dense<0.0> : tensor<f32>
  %count = stablehlo.constant dense<35.0> : tensor<f32>
  %0 = stablehlo.reduce(%state init: %start) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x5xf32>, tensor<f32>) -> tensor<f32>
  %1 = sdy.sharding_constraint %0 <@mesh, []> : tensor<f32>
  %2 = stablehlo.divide %1, %count : tensor<f32>
  %3 = sdy.sharding_constraint %2 <@mesh, []> : tensor<f32>
  return %3 : tensor<f32>
}
func.func private @keep(%losses: tensor<4xf32>, %loss: tensor<f32>, %i: tensor<i32>) -> tensor<4xf32> {
  %0 = stablehlo.broadcast_in_dim %loss, dims = [] : (tensor<f32>) -> tensor<1xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}]> : tensor<1xf32>
  %2 = stablehlo.dynamic_update_slice %losses, %1, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{}]> : tensor<4xf32>
  return %3 : tensor<4xf32>
}

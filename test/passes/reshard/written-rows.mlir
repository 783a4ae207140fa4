// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/"x"=2/"x"=3/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes

// A loop keeps the mean loss of each iteration in one row of a carry. The rows are shares of sums: one all-reduce behind
// the loop adds all of them, instead of one in each iteration.
sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @main
// CHECK: stablehlo.while
// CHECK-NOT: all_reduce
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: all_reduce
// CHECK: stablehlo.return
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<4xf32>) -> tensor<4xf32>
// CHECK-NOT: all_reduce
// CHECK: return
func.func @main(%x: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0:3 = stablehlo.while(%i = %zero, %state = %x, %losses = %none) : tensor<i32>, tensor<7x5xf32>, tensor<4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %start = stablehlo.constant dense<0.0> : tensor<f32>
    %count = stablehlo.constant dense<35.0> : tensor<f32>
    %2 = stablehlo.reduce(%state init: %start) applies stablehlo.add across dimensions = [0, 1] : (tensor<7x5xf32>, tensor<f32>) -> tensor<f32>
    %3 = stablehlo.divide %2, %count : tensor<f32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %5 = stablehlo.dynamic_update_slice %losses, %4, %i : (tensor<4xf32>, tensor<1xf32>, tensor<i32>) -> tensor<4xf32>
    %6 = stablehlo.tanh %state : tensor<7x5xf32>
    stablehlo.return %1, %6, %5 : tensor<i32>, tensor<7x5xf32>, tensor<4xf32>
  }
  return %0#1, %0#2 : tensor<7x5xf32>, tensor<4xf32>
}

// RUN: spmd-opt %s --spmd-propagate | FileCheck %s
// RUN: spmd-run %s --why | FileCheck %s --check-prefix=MOVES
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

sdy.mesh @mesh = <["x"=8]>

// Each iteration multiplies rows of a batch by a weight that is sharded along its columns, and adds the carry. The weight is
// gathered once, before the loop.
// CHECK-LABEL: func.func @main(
// CHECK: stablehlo.while
// CHECK-SAME: <@mesh, [{?}, {"x", ?}]>, <@mesh, [{?}, {"x", ?}, {?}]>
// MOVES: 1, 896 bytes sent by each device
// MOVES: all_gather 8 1 896
func.func @main(%rows: tensor<20x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                %weight: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %state: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<20> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %w = %weight, %x = %rows, %h = %state) : tensor<i32>, tensor<16x16xf32>, tensor<20x8x16xf32>, tensor<8x16xf32>
  cond {
    %2 = stablehlo.compare LT, %i, %many, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %slice = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8, 16] : (tensor<20x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %row = stablehlo.reshape %slice : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    %2 = stablehlo.dot_general %row, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
    %3 = stablehlo.add %2, %h : tensor<8x16xf32>
    %4 = stablehlo.tanh %3 : tensor<8x16xf32>
    stablehlo.return %next, %w, %x, %4 : tensor<i32>, tensor<16x16xf32>, tensor<20x8x16xf32>, tensor<8x16xf32>
  }
  return %0#3 : tensor<8x16xf32>
}

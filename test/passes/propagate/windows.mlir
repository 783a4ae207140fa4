// RUN: spmd-opt %s --spmd-propagate | FileCheck %s
// RUN: spmd-run %s --why | FileCheck %s --check-prefix=MOVES
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

sdy.mesh @mesh = <["d"=2, "s"=4]>

// Where rows of an image are split, a convolution reads the rows of neighbours, and that is what it costs. So batch and rows stay
// as they are in all turns, and only the kernel is gathered, once.
// CHECK: stablehlo.while
// CHECK-SAME: <@mesh, [{"d", ?}, {"s", ?}, {?}, {?}]>]>
// MOVES: collectives 3, 26,592 bytes
// MOVES: all_gather 8 1 2,016
// MOVES: collective_permute 8 12 12,288
// MOVES: collective_permute 8 12 12,288
func.func @main(%image: tensor<4x16x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {"s"}, {}, {}]>},
                %kernel: tensor<3x3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"d"}, {"s"}]>})
    -> (tensor<4x16x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"d"}, {"s"}, {}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<12> : tensor<i32>
  %0:3 = stablehlo.while(%k = %kernel, %i = %zero, %x = %image) : tensor<3x3x8x8xf32>, tensor<i32>, tensor<4x16x16x8xf32>
  cond {
    %2 = stablehlo.compare LT, %i, %many, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x16x16x8xf32>, tensor<3x3x8x8xf32>) -> tensor<4x16x16x8xf32>
    %3 = stablehlo.tanh %2 : tensor<4x16x16x8xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %k, %next, %3 : tensor<3x3x8x8xf32>, tensor<i32>, tensor<4x16x16x8xf32>
  }
  return %0#2 : tensor<4x16x16x8xf32>
}

// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

sdy.mesh @mesh = <["x"=4]>

// As without a scale behind a transpose: a constant is no share, so there is no choice of what to hand shares through.
// CHECK-LABEL: func.func public @main(
// CHECK: stablehlo.while
// CHECK-NOT: all_reduce
// CHECK: stablehlo.select
// CHECK-NOT: all_reduce
// CHECK: stablehlo.return %{{.*}} : tensor<i32>, tensor<6x5xf32>
// CHECK: all_reduce
// CHECK-NOT: all_reduce
// CHECK: return
func.func public @main(%x: tensor<3x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                       %y: tensor<3x8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                       %w: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<6x5xf32>
  %rate = stablehlo.constant dense<0.5> : tensor<6x5xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %none) : tensor<i32>, tensor<6x5xf32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8, 6] : (tensor<3x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x6xf32>
    %2 = stablehlo.dynamic_slice %y, %i, %zero, %zero, sizes = [1, 8, 5] : (tensor<3x8x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x5xf32>
    %3 = stablehlo.dot_general %2, %1, contracting_dims = [0, 1] x [0, 1] : (tensor<1x8x5xf32>, tensor<1x8x6xf32>) -> tensor<5x6xf32>
    %t = stablehlo.transpose %3, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
    %4 = stablehlo.multiply %rate, %t : tensor<6x5xf32>
    %5 = stablehlo.multiply %w, %rate : tensor<6x5xf32>
    %6 = stablehlo.add %5, %4 : tensor<6x5xf32>
    %7 = stablehlo.add %sum, %6 : tensor<6x5xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %7 : tensor<i32>, tensor<6x5xf32>
  }
  return %0#1 : tensor<6x5xf32>
}

// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// A product over a split dim, plus one: the sum is made first, and one is added once.

sdy.mesh @mesh = <["tp"=4]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>, spmd.global_type = tensor<6x10xf32>}
// CHECK-SAME: tensor<3x5xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, spmd.global_type = tensor<10x5xf32>}
// CHECK-SAME: tensor<6x5xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>, spmd.global_type = tensor<6x5xf32>, tf.aliasing_output = 1 : i32}
// CHECK-SAME: -> (tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>, spmd.global_type = tensor<6x5xf32>}
// CHECK-SAME: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>, spmd.global_type = tensor<6x5xf32>})
// CHECK: "stablehlo.all_reduce"
func.func @main(
    %x: tensor<6x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>},
    %w: !spmd.buffer<tensor<10x5xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>},
    %sum: !spmd.buffer<tensor<6x5xf32>>) -> tensor<6x5xf32> {
  %w_in = spmd.load %w : !spmd.buffer<tensor<10x5xf32>>
  %partial = stablehlo.dot_general %x, %w_in, contracting_dims = [1] x [0] : (tensor<6x10xf32>, tensor<10x5xf32>) -> tensor<6x5xf32>
  spmd.store %partial, %sum : !spmd.buffer<tensor<6x5xf32>>
  %one = stablehlo.constant dense<1.0> : tensor<6x5xf32>
  %0 = spmd.load %sum : !spmd.buffer<tensor<6x5xf32>>
  %1 = stablehlo.add %0, %one : tensor<6x5xf32>
  spmd.store %1, %sum : !spmd.buffer<tensor<6x5xf32>>
  return %partial : tensor<6x5xf32>
}

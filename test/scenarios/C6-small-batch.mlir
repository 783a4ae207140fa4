// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// A batch of 4 on 8 devices: half of them hold no row, and the mean over the batch divides by 4. The rows are fewer than the
// weights, so an all-to-all splits their features, and the product is reduce-scattered over the rows. Weights do not move.

sdy.mesh @mesh = <["fsdp"=8, "model"=1]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<10x2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}p1]>, spmd.global_type = tensor<10x16xf32>}
// CHECK-SAME: tensor<1x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}]>, spmd.global_type = tensor<4x16xf32>}
// CHECK-SAME: -> (tensor<f32> {sdy.sharding = #sdy.sharding<@mesh, []>, spmd.global_type = tensor<f32>})
// CHECK: "stablehlo.all_to_all"
// CHECK: "stablehlo.reduce_scatter"
// CHECK: (tensor<8x10xf32>) -> tensor<1x10xf32>
// CHECK: "stablehlo.all_reduce"
func.func @main(
    %w: !spmd.buffer<tensor<10x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}p1]>},
    %x: tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}]>})
    -> tensor<f32> {
  %w_in = spmd.load %w : !spmd.buffer<tensor<10x16xf32>>
  %y = stablehlo.dot_general %x, %w_in, contracting_dims = [1] x [1] : (tensor<4x16xf32>, tensor<10x16xf32>) -> tensor<4x10xf32>
  %pinned = sdy.sharding_constraint %y <@mesh, [{"fsdp"}, {}]> : tensor<4x10xf32>
  %squares = stablehlo.multiply %pinned, %pinned : tensor<4x10xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%squares init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x10xf32>, tensor<f32>) -> tensor<f32>
  %batch = stablehlo.constant dense<4.0> : tensor<f32>
  %mean = stablehlo.divide %sum, %batch : tensor<f32>
  return %mean : tensor<f32>
}

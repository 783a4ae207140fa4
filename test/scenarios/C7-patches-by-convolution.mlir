// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// Patches of an image by a convolution: the weight is gathered, and the batch stays split to the end.

sdy.mesh @mesh = <["fsdp"=4, "model"=1]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<4x3x4x4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}, {}, {}]>, spmd.global_type = tensor<16x3x4x4xf32>}
// CHECK-SAME: tensor<2x3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}, {}]>, spmd.global_type = tensor<8x3x8x8xf32>}
// CHECK-SAME: -> (tensor<2x4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}, {?}]>, spmd.global_type = tensor<8x4x16xf32>})
// CHECK: "stablehlo.all_gather"
func.func @main(
    %w: !spmd.buffer<tensor<16x3x4x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}, {}, {}]>},
    %image: tensor<8x3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}, {}]>})
    -> tensor<8x4x16xf32> {
  %w_in = spmd.load %w : !spmd.buffer<tensor<16x3x4x4xf32>>
  %0 = stablehlo.convolution(%image, %w_in) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [4, 4], pad = [[0, 0], [0, 0]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x3x8x8xf32>, tensor<16x3x4x4xf32>) -> tensor<8x16x2x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<8x16x2x2xf32>) -> tensor<8x16x4xf32>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<8x16x4xf32>) -> tensor<8x4x16xf32>
  return %2 : tensor<8x4x16xf32>
}

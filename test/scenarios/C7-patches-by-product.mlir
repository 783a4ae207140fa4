// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// The same by reshapes and a product, through tensors of rank 6 and 2: the same sharding at the end.

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
  %flat = spmd.reshape_view %w : (!spmd.buffer<tensor<16x3x4x4xf32>>) -> !spmd.buffer<tensor<16x48xf32>>
  %w_in = spmd.load %flat : !spmd.buffer<tensor<16x48xf32>>
  %0 = stablehlo.reshape %image : (tensor<8x3x8x8xf32>) -> tensor<8x3x2x4x2x4xf32>
  %1 = stablehlo.transpose %0, dims = [0, 2, 4, 1, 3, 5] : (tensor<8x3x2x4x2x4xf32>) -> tensor<8x2x2x3x4x4xf32>
  %patches = stablehlo.reshape %1 : (tensor<8x2x2x3x4x4xf32>) -> tensor<32x48xf32>
  %2 = stablehlo.dot_general %patches, %w_in, contracting_dims = [1] x [1] : (tensor<32x48xf32>, tensor<16x48xf32>) -> tensor<32x16xf32>
  %3 = stablehlo.reshape %2 : (tensor<32x16xf32>) -> tensor<8x4x16xf32>
  return %3 : tensor<8x4x16xf32>
}

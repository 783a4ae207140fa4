// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: cat %t.mlir | spmd-opt - --spmd-pipeline="plan=%S/attention.plan bucket-bytes=0" | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %t.mlir --plan=%S/attention.plan | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %t.mlir --spmd-pipeline="plan=%S/attention.plan stop-after=propagate" | FileCheck %s --check-prefix=SPREAD
// Masks that nobody marked, under one rule: one that is the same for all of a batch is not split along dims of one row,
// one of each sequence follows the batch. Along rows both are cut where the queries are; each device has all columns.

// SPREAD: %arg3: tensor<1x1x16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{{[{]?[}]?}}{{.*}}
// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<1x1x4x16xf32>
// CHECK-SAME: tensor<1x1x4x16xf32>
// CHECK-COUNT-2: "stablehlo.all_gather"(%arg{{[12]}}){{.*}}(tensor<1x2x4x4xf32>) -> tensor<1x2x16x4xf32>
// CHECK: stablehlo.custom_call @fused_attention({{.*}} : (tensor<1x8x4x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x1x4x16xf32>)
// CHECK: stablehlo.custom_call @fused_attention({{.*}} : (tensor<1x8x4x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x1x4x16xf32>)
// EQUAL: equal: {{ *}}yes

func.func @main(%q: tensor<2x8x16x4xf32>, %k: tensor<2x2x16x4xf32>, %v: tensor<2x2x16x4xf32>, %all: tensor<1x1x16x16xf32>, %each: tensor<2x1x16x16xf32>) -> (tensor<2x8x16x4xf32>, tensor<2x8x16x4xf32>) {
  %0:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %all) {head_num = 8 : i64, spmd.reference = @attention_masked}
      : (tensor<2x8x16x4xf32>, tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>, tensor<1x1x16x16xf32>) -> (tensor<2x8x16x4xf32>, tensor<2x8x16x8xf32>, tensor<2x8x16x8xf32>)
  %1:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %each) {head_num = 8 : i64, spmd.reference = @attention_masked}
      : (tensor<2x8x16x4xf32>, tensor<2x2x16x4xf32>, tensor<2x2x16x4xf32>, tensor<2x1x16x16xf32>) -> (tensor<2x8x16x4xf32>, tensor<2x8x16x8xf32>, tensor<2x8x16x8xf32>)
  return %0#0, %1#0 : tensor<2x8x16x4xf32>, tensor<2x8x16x4xf32>
}

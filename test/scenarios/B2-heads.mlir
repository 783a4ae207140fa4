// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %t.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/"tp"=2/"tp"=4/' %t.mlir > %t.4.mlir
// RUN: spmd-opt %t.4.mlir --spmd-pipeline | FileCheck %s --check-prefix=FOUR
// RUN: spmd-run %t.4.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/"tp"=2/"tp"=3/' %t.mlir > %t.3.mlir
// RUN: spmd-opt %t.3.mlir --spmd-pipeline | FileCheck %s --check-prefix=THREE
// RUN: spmd-run %t.3.mlir | FileCheck %s --check-prefix=EQUAL
// Heads split over "tp": no collective, and the call counts the heads that it has. Eight heads in two groups on four
// devices: a group is held by two devices, and none has padding.

// CHECK-LABEL: func.func @main
// CHECK: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 4 : i64, {{.*}} : (tensor<1x4x16x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x4x16x4xf32>, tensor<1x4x16x8xf32>, tensor<1x4x16x8xf32>)
// FOUR: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 2 : i64, {{.*}} : (tensor<1x2x16x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>,
// Three devices cannot share eight heads: they are whole.
// THREE: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 8 : i64, {{.*}} : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>,
// EQUAL: equal: {{ *}}yes

sdy.mesh @mesh = <["tp"=2]>

func.func @main(%q: tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}, {}]>},
                %k: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}, {}]>},
                %v: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}, {}]>})
    -> (tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}, {}]>}, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>) {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %first, %first) {
    head_num = 8 : i64, layout = "BNSD", spmd.reference = @attention,
    spmd.rule = {dims = "([i, jk, l, m], [i, j, n, m], [i, j, n, m], [], [])->([i, jk, l, m], [i, jk, l, o], [i, jk, l, o]) {i=1, j=2, k=4, l=16, m=4, n=16, o=8} need_replication={m, o}",
                 along = [{factor = "n", with = "l", ways = ["gather"], merge = @merge_attention}],
                 local = [{attribute = "head_num", factor = "j"}, {attribute = "head_num", factor = "k"}],
                 offset = [{operand = 3, factor = "l"}, {operand = 4, factor = "n"}]}}
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  return %0#0, %0#1, %0#2 : tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>
}

// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-pipeline -o %t.out 2>&1 | FileCheck %s --check-prefix=KEEP
// RUN: FileCheck %s --check-prefix=WHOLE < %t.out
// RUN: spmd-run %t.mlir 2> %t.err | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/keep_prob = 0.9/keep_prob = 1.0/' %t.mlir > %t.one.mlir
// RUN: spmd-opt %t.one.mlir --spmd-pipeline 2>&1 | FileCheck %s --check-prefix=SPLIT --implicit-check-not=warning
// RUN: sed 's/keep_prob = 0.9 : f32/varlen = true/' %t.mlir > %t.varlen.mlir
// RUN: spmd-opt %t.varlen.mlir --spmd-pipeline -o %t.out 2>&1 | FileCheck %s --check-prefix=VARLEN
// RUN: sed 's/keep_prob = 0.9/keep_prob = 1.0/; s/BNSD", spmd/TND", spmd/' %t.mlir > %t.layout.mlir
// RUN: spmd-opt %t.layout.mlir --spmd-pipeline 2>&1 | FileCheck %s --check-prefix=LAYOUT
// RUN: spmd-run %t.layout.mlir 2> %t.err | FileCheck %s --check-prefix=EQUAL
// What an attribute forbids is not split, and the user is told which attribute it is. One that concerns rows alone leaves
// the heads split, over the axis of the rows, too.

// KEEP: warning: 'stablehlo.custom_call' op @fused_attention has a rule that does not split it where 'keep_prob' is 0.9; every device runs it whole
// KEEP: note: operand 0 has sharding [{}, {"tp"}, {"cp"}, {}]
// WHOLE: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 8 : i64, {{.*}} : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>,
// SPLIT: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 4 : i64, {{.*}} : (tensor<1x4x4x4xf32>, tensor<1x1x16x4xf32>,
// VARLEN: warning: 'stablehlo.custom_call' op @fused_attention has a rule that does not split it where 'varlen' is true; every device runs it whole
// LAYOUT: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 1 : i64, {{.*}} : (tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>,
// EQUAL: equal: {{ *}}yes

sdy.mesh @mesh = <["cp"=4, "tp"=2]>

func.func @main(%q: tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {"cp"}, {}]>}, %k: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {"cp"}, {}]>},
                %v: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {"cp"}, {}]>}) -> (tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {"cp"}, {}]>}) {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %first, %first) {
    head_num = 8 : i64, keep_prob = 0.9 : f32, layout = "BNSD", spmd.reference = @attention,
    spmd.rule = {dims = "([i, jk, l, m], [i, j, n, m], [i, j, n, m], [], [])->([i, jk, l, m], [i, jk, l, o], [i, jk, l, o]) {i=1, j=2, k=4, l=16, m=4, n=16, o=8} need_replication={m, o}",
                 along = [{factor = "n", with = "l", ways = ["gather"], merge = @merge_attention}],
                 local = [{attribute = "head_num", factor = "j"}, {attribute = "head_num", factor = "k"}],
                 offset = [{operand = 3, factor = "l"}, {operand = 4, factor = "n"}],
                 only_if = [{attribute = "keep_prob", is = ["1.0"]}, {attribute = "layout", is = ["BNSD", "BSND"], factors = ["l"]}],
                 unless = [{attribute = "varlen", default = "false"}]}}
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  return %0#0 : tensor<1x8x16x4xf32>
}

// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-pipeline -o %t.out 2>&1 | FileCheck %s
// RUN: spmd-run %t.mlir 2> %t.err | FileCheck %s --check-prefix=EQUAL
// RUN: not spmd-opt %t.mlir --spmd-pipeline=on-no-rule=error -o %t.out 2>&1 | FileCheck %s --check-prefix=ERROR
// A rule for the forward op alone: the backward op is named, and the op that it belongs to. Till it has one, it runs whole.

// CHECK: warning: 'stablehlo.custom_call' op @fused_attention_grad has no sharding rule; every device runs it whole
// CHECK: note: operand 0 has sharding [{}, {}, {"cp"}, {}]
// CHECK: note: it is the backward op of this one, which has a rule; give it one, too
// CHECK: note: a rule to begin with, for a plan: rule { target: "fused_attention_grad"
// ERROR: error: 'stablehlo.custom_call' op @fused_attention_grad has no sharding rule; give it one in a plan, or set on-no-rule=replicate
// EQUAL: equal: {{ *}}yes

sdy.mesh @mesh = <["cp"=4]>

func.func @main(%q: tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}, %k: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}, %v: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}, %dy: tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>})
    -> (tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}, tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}, tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}, tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}) {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %first, %first) {
    head_num = 8 : i64, spmd.reference = @attention,
    spmd.rule = {dims = "([i, jk, l, m], [i, j, n, m], [i, j, n, m], [], [])->([i, jk, l, m], [i, jk, l, o], [i, jk, l, o]) {i=1, j=2, k=4, l=16, m=4, n=16, o=8} need_replication={m, o}",
                 along = [{factor = "n", with = "l", ways = ["gather"], merge = @merge_attention}], local = [{attribute = "head_num", factor = "j"}, {attribute = "head_num", factor = "k"}],
                 offset = [{operand = 3, factor = "l"}, {operand = 4, factor = "n"}], backward = "fused_attention_grad"}}
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  %1:3 = stablehlo.custom_call @fused_attention_grad(%q, %k, %v, %dy, %0#1, %0#2, %0#0, %first, %first) {
    head_num = 8 : i64, spmd.reference = @attention_grad}
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>)
  return %0#0, %1#0, %1#1, %1#2 : tensor<1x8x16x4xf32>, tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>
}

// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-pipeline=bucket-bytes=0 -o %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=WARNING < %t.err
// RUN: FileCheck %s %{only-collectives-checked} < %t.out
// RUN: spmd-run %t.mlir 2> %t.err | FileCheck %s --check-prefix=EQUAL
// RUN: not spmd-opt %t.mlir --spmd-pipeline=on-no-rule=error 2>&1 | FileCheck %s --check-prefix=ERROR --implicit-check-not="has no sharding;"
// RUN: not spmd-run %t.mlir --on-no-rule=infer-from-users > %t.table 2> %t.err
// RUN: FileCheck %s --check-prefix=USERS < %t.err
// RUN: FileCheck %s --check-prefix=DIFFERS < %t.table
// An attention call that nobody has a rule of: its operands are gathered, every device runs it whole, and the user is told
// so, with a rule to begin with. It is never a local call, but for `infer-from-users`: rows of the output are wanted, so rows
// it is taken to treat alike, which of attention is false, and said; its comparison fails.
// As an error it comes alone: that its results have no sharding is not warned of.

// WARNING: warning: 'stablehlo.custom_call' op @fused_attention has no sharding rule; every device runs it whole
// WARNING: note: operand 0 has sharding [{}, {}, {"cp"}, {}]
// WARNING: note: operand 1 has sharding [{}, {}, {"cp"}, {}]
// WARNING: note: a rule to begin with, for a plan: rule { target: "fused_attention" rule: "([*, i, j, k], [*, l, j, k], [*, l, j, k], [], [])->([*, i, j, k], [*, i, j, m], [*, i, j, m]) need_replication={i, j, k, l, m}" }; take letters out of need_replication where the op can be split
// USERS: warning: 'stablehlo.custom_call' op @fused_attention has no sharding rule; each device makes its part of the results of the same part of the operands, as those who use them want it, which is wrong if the op does more than that
// USERS: note: operand 0 has sharding [{}, {}, {"cp"}, {}]
// USERS: note: assumed: rule { target: "fused_attention" rule: "([*, i, j, k], [*, l, j, k], [*, l, j, k], [], [])->([*, i, j, k], [*, i, j, m], [*, i, j, m]) need_replication={i, k, l, m}" }; if it is true, put it in a plan, else set on-no-rule=replicate
// DIFFERS: equal: {{ *}}no
// ERROR: error: 'stablehlo.custom_call' op @fused_attention has no sharding rule; give it one in a plan, or set on-no-rule=replicate
// CHECK-COUNT-3: "stablehlo.all_gather"(%arg{{[0-2]}})
// CHECK: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 8 : i64, {{.*}} -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
// EQUAL: equal: {{ *}}yes

sdy.mesh @mesh = <["cp"=4]>

func.func @main(%q: tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>},
                %k: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>},
                %v: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>})
    -> (tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>) {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %first, %first) {
    head_num = 8 : i64, layout = "BNSD", spmd.reference = @attention
    }
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  return %0#0, %0#1, %0#2 : tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>
}

// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-pipeline=bucket-bytes=0 | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %t.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/"gather"/"ring"/' %t.mlir > %t.ring.mlir
// RUN: spmd-opt %t.ring.mlir --spmd-pipeline=bucket-bytes=0 | FileCheck %s --check-prefix=RING
// RUN: spmd-run %t.ring.mlir | FileCheck %s --check-prefix=EQUAL
// Tokens over "cp" and heads over "tp": keys and values are gathered among the devices of one "tp" coordinate alone, and
// rings go round among these. (Rotary positions under both: examples/llama_attention.)

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: "stablehlo.all_gather"(%arg{{[12]}}){{.*}}replica_groups = dense<{{\[\[}}0, 2, 4, 6], [1, 3, 5, 7]]>{{.*}}(tensor<1x1x4x4xf32>) -> tensor<1x1x16x4xf32>
// CHECK: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 4 : i64, {{.*}} : (tensor<1x4x4x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>,
// RING: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 4 : i64, {{.*}} : (tensor<1x4x4x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>,
// RING: "stablehlo.collective_permute"{{.*}}dense<{{\[\[}}2, 0], [4, 2], [6, 4], [0, 6], [3, 1], [5, 3], [7, 5], [1, 7]]>
// EQUAL: equal: {{ *}}yes

sdy.mesh @mesh = <["cp"=4, "tp"=2]>

func.func @main(%q: tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {"cp"}, {}]>}, %k: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {"cp"}, {}]>},
                %v: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {"cp"}, {}]>}) -> (tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {"cp"}, {}]>}) {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %first, %first) {
    head_num = 8 : i64, spmd.reference = @attention,
    spmd.rule = {dims = "([i, jk, l, m], [i, j, n, m], [i, j, n, m], [], [])->([i, jk, l, m], [i, jk, l, o], [i, jk, l, o]) {i=1, j=2, k=4, l=16, m=4, n=16, o=8} need_replication={m, o}",
                 along = [{factor = "n", with = "l", ways = ["gather"], merge = @merge_attention}],
                 local = [{attribute = "head_num", factor = "j"}, {attribute = "head_num", factor = "k"}],
                 offset = [{operand = 3, factor = "l"}, {operand = 4, factor = "n"}]}}
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  return %0#0 : tensor<1x8x16x4xf32>
}

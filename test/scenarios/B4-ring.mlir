// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-pipeline=bucket-bytes=0 | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %t.mlir | FileCheck %s --check-prefixes=EQUAL,RING
// RUN: sed 's/"cp"=4/"cp"=1/' %t.mlir > %t.1.mlir
// RUN: spmd-run %t.1.mlir | FileCheck %s --check-prefixes=EQUAL
// RUN: sed 's/"cp"=4/"cp"=2, "other"=3/' %t.mlir > %t.2.mlir
// RUN: spmd-run %t.2.mlir | FileCheck %s --check-prefixes=EQUAL
// RUN: spmd-opt %t.mlir --spmd-check-rules=remarks=true -o %t.out 2>&1 | FileCheck %s --check-prefix=HOLDS
// The same by a ring: blocks of keys and values go round in three steps, and what they give is merged.

// CHECK-LABEL: func.func @main
// The next blocks are on their way while the op runs.
// CHECK-COUNT-2: "stablehlo.collective_permute"{{.*}}tensor<1x2x4x4xf32>
// CHECK: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 8 : i64, {{.*}} : (tensor<1x8x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x4x4xf32>, tensor<1x8x4x8xf32>, tensor<1x8x4x8xf32>)
// CHECK: stablehlo.while
// CHECK-COUNT-2: "stablehlo.collective_permute"{{.*}}tensor<1x2x4x4xf32>
// CHECK: stablehlo.custom_call @fused_attention
// CHECK: func.call @merge_attention
// CHECK: stablehlo.custom_call @fused_attention
// CHECK: call @merge_attention
// RING: collective_permute {{ *}}3
// EQUAL: equal: {{ *}}yes
// HOLDS: remark: 'stablehlo.custom_call' op rule holds on {{[0-9]+}} placements

sdy.mesh @mesh = <["cp"=4]>

func.func @main(%q: tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>},
                %k: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>},
                %v: tensor<1x2x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>})
    -> (tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>) {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %first, %first) {
    head_num = 8 : i64, layout = "BNSD", spmd.reference = @attention,
    spmd.rule = {dims = "([i, jk, l, m], [i, j, n, m], [i, j, n, m], [], [])->([i, jk, l, m], [i, jk, l, o], [i, jk, l, o]) {i=1, j=2, k=4, l=16, m=4, n=16, o=8} need_replication={m, o}",
                 along = [{factor = "n", with = "l", ways = ["ring"], merge = @merge_attention}],
                 local = [{attribute = "head_num", factor = "j"}, {attribute = "head_num", factor = "k"}],
                 offset = [{operand = 3, factor = "l"}, {operand = 4, factor = "n"}]}}
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  return %0#0, %0#1, %0#2 : tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>
}

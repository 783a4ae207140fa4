// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-pipeline=bucket-bytes=0 | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %t.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/"cp"=4/"other"=3, "cp"=2/' %t.mlir > %t.2.mlir
// RUN: spmd-run %t.2.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %t.mlir --spmd-check-rules=remarks=true -o %t.out 2>&1 | FileCheck %s --check-prefix=HOLDS
// Forward and backward under context parallelism: keys and values are gathered once for both, their gradients are added up
// onto parts, and nothing is all-reduced.

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: "stablehlo.all_gather"(%arg{{[12]}}){{.*}}all_gather_dim = 2 {{.*}} : (tensor<1x2x4x4xf32>) -> tensor<1x2x16x4xf32>
// CHECK: stablehlo.custom_call @fused_attention(
// CHECK: stablehlo.custom_call @fused_attention_grad({{.*}}) {head_num = 8 : i64, {{.*}} -> (tensor<1x8x4x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>)
// CHECK: "stablehlo.reduce_scatter"{{.*}}scatter_dimension = 2
// CHECK: (tensor<1x2x16x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK: "stablehlo.reduce_scatter"{{.*}}scatter_dimension = 2
// CHECK: (tensor<1x2x16x4xf32>) -> tensor<1x2x4x4xf32>
// CHECK: return {{.*}} : tensor<1x8x4x4xf32>, tensor<1x8x4x4xf32>, tensor<1x2x4x4xf32>, tensor<1x2x4x4xf32>
// EQUAL: equal: {{ *}}yes
// HOLDS-COUNT-2: remark: 'stablehlo.custom_call' op rule holds on {{[0-9]+}} placements

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
    head_num = 8 : i64, spmd.reference = @attention_grad,
    spmd.rule = {dims = "([i, jk, l, m], [i, j, n, m], [i, j, n, m], [i, jk, l, m], [i, jk, l, o], [i, jk, l, o], [i, jk, l, m], [], [])->([i, jk, l, m], [i, j, n, m], [i, j, n, m]) {i=1, j=2, k=4, l=16, m=4, n=16, o=8} need_replication={k, m, o}",
                 along = [{factor = "n", with = "l", ways = ["gather"]}], even = ["l"], local = [{attribute = "head_num", factor = "j"}],
                 offset = [{operand = 7, factor = "l"}, {operand = 8, factor = "n"}]}}
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>)
  return %0#0, %1#0, %1#1, %1#2 : tensor<1x8x16x4xf32>, tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>
}

// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-pipeline=bucket-bytes=0 | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %t.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %t.mlir --spmd-check-rules=remarks=true -o %t.out 2>&1 | FileCheck %s --check-prefix=HOLDS
// The same by all-to-alls: while the op runs, heads are split instead of tokens.

// CHECK-LABEL: func.func @main
// CHECK-COUNT-3: "stablehlo.all_to_all"
// CHECK: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 2 : i64, {{.*}} : (tensor<1x2x16x4xf32>, tensor<1x1x16x4xf32>, tensor<1x1x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x2x16x4xf32>,
// CHECK: "stablehlo.all_to_all"{{.*}}(tensor<1x2x16x4xf32>) -> tensor<1x8x4x4xf32>
// EQUAL: equal: {{ *}}yes
// HOLDS: remark: 'stablehlo.custom_call' op rule holds on {{[0-9]+}} placements

sdy.mesh @mesh = <["cp"=4]>

func.func @main(%q: tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}, %k: tensor<1x4x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>},
                %v: tensor<1x4x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}) -> (tensor<1x8x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"cp"}, {}]>}) {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %first, %first) {
    head_num = 8 : i64, spmd.reference = @attention,
    spmd.rule = {dims = "([i, jk, l, m], [i, j, n, m], [i, j, n, m], [], [])->([i, jk, l, m], [i, jk, l, o], [i, jk, l, o]) {i=1, j=4, k=2, l=16, m=4, n=16, o=8} need_replication={m, o}",
                 along = [{factor = "n", with = "l", ways = ["all_to_all"], merge = @merge_attention}],
                 local = [{attribute = "head_num", factor = "j"}, {attribute = "head_num", factor = "k"}],
                 offset = [{operand = 3, factor = "l"}, {operand = 4, factor = "n"}]}}
      : (tensor<1x8x16x4xf32>, tensor<1x4x16x4xf32>, tensor<1x4x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  return %0#0 : tensor<1x8x16x4xf32>
}

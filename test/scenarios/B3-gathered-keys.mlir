// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-pipeline=bucket-bytes=0 | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %t.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/"cp"=4/"cp"=3/' %t.mlir > %t.3.mlir
// RUN: spmd-run %t.3.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %t.mlir --spmd-check-rules=remarks=true -o %t.out 2>&1 | FileCheck %s --check-prefix=HOLDS
// Context parallelism by gathered keys and values: queries stay, and the call is told which row is its first.

// CHECK-LABEL: func.func @main
// CHECK-DAG: %[[FOUR:.*]] = stablehlo.constant dense<4> : tensor<i32>
// CHECK-DAG: %[[ID:.*]] = stablehlo.convert {{.*}} : (tensor<ui32>) -> tensor<i32>
// CHECK-DAG: %[[ROW:.*]] = stablehlo.multiply %[[ID]], %[[FOUR]] : tensor<i32>
// CHECK-COUNT-2: "stablehlo.all_gather"(%arg{{[12]}})
// CHECK: stablehlo.custom_call @fused_attention({{.*}}) {head_num = 8 : i64, {{.*}} : (tensor<1x8x4x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x4x4xf32>, tensor<1x8x4x8xf32>, tensor<1x8x4x8xf32>)
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
                 along = [{factor = "n", with = "l", ways = ["gather"], merge = @merge_attention}],
                 local = [{attribute = "head_num", factor = "j"}, {attribute = "head_num", factor = "k"}],
                 offset = [{operand = 3, factor = "l"}, {operand = 4, factor = "n"}]}}
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  return %0#0, %0#1, %0#2 : tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>
}

// RUN: cat %s %S/attention.reference > %t.mlir
// RUN: not spmd-opt %t.mlir --spmd-check-rules -o %t.out 2>&1 | FileCheck %s
// A rule that splits keys and queries alike, as if each device could attend to its own keys alone, is false: the checker
// says so, with a counterexample, before anybody trains with it.

// CHECK: error: 'stablehlo.custom_call' op rule ([i, jk, l, m], [i, j, l, m], [i, j, l, m], [], [])->{{.*}} is false: with {{.*}}, device {{.*}} gives {{.*}} of result 0, expected

func.func @main(%q: tensor<1x8x16x4xf32>, %k: tensor<1x2x16x4xf32>, %v: tensor<1x2x16x4xf32>) -> tensor<1x8x16x4xf32> {
  %first = stablehlo.constant dense<0> : tensor<i32>
  %0:3 = stablehlo.custom_call @fused_attention(%q, %k, %v, %first, %first) {
    spmd.reference = @attention,
    sdy.sharding_rule = #sdy.op_sharding_rule<([i, jk, l, m], [i, j, l, m], [i, j, l, m], [], [])->([i, jk, l, m], [i, jk, l, n], [i, jk, l, n]) {i=1, j=2, k=4, l=16, m=4, n=8} need_replication={m, n}, custom>}
      : (tensor<1x8x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<i32>, tensor<i32>) -> (tensor<1x8x16x4xf32>, tensor<1x8x16x8xf32>, tensor<1x8x16x8xf32>)
  return %0#0 : tensor<1x8x16x4xf32>
}

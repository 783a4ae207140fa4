// What the pipeline takes of rules that it does not go by, or that take something away, and that it may be told not to look.
// RUN: spmd-opt %s --spmd-pipeline 2>&1 | FileCheck %s
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/->(\[i, j\]) {i=8, j=6}>}/->([j, i]) {i=8, j=6}>}/; s/8x6xf32/8x8xf32/g; s/{i=8, j=6}/{i=8, j=8}/g' %s > %t.mlir
// RUN: not spmd-run %t.mlir 2>&1 | FileCheck %s --check-prefix=FALSE
// RUN: not spmd-opt %t.mlir --spmd-pipeline -o %t.out 2>&1 | FileCheck %s --check-prefix=FALSE
// RUN: spmd-run %t.mlir --check-user-rules=false | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %t.mlir --spmd-pipeline=check-user-rules=false -o %t.out
// FALSE: error: 'stablehlo.abs' op rule ([i, j])->([j, i]) {i=8, j=8} is false: with
// CHECK-NOT: {{warning|error}}
// CHECK: func.func @main
// EQUAL: equal: {{ *}}yes

sdy.mesh @mesh = <["x"=2]>
func.func private @turned(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
func.func @main(%x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x6xf32>, tensor<8xf32>) {
  %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=6}>} : tensor<8x6xf32>
  // A composite is partitioned as what it is made of, whatever passes it.
  %1 = stablehlo.composite "my.turned" %0 {decomposition = @turned, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=6}, custom>} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  // What shares of a maximum become, the op says.
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %z) applies stablehlo.maximum across dimensions = [1] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([i]) {i=8, j=6} reduction={j}>} : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
  return %1, %2 : tensor<8x6xf32>, tensor<8xf32>
}

// Calls and loops pass on what lies in them; a rule on one says nothing.
func.func private @called(%x: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.sine %x : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
func.func @flows(%n: tensor<i32>, %x: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x6xf32> {
  %0 = call @called(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=6}, custom>} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %1:2 = stablehlo.while(%i = %n, %c = %0) : tensor<i32>, tensor<8x6xf32> attributes {sdy.sharding_rule = #sdy.op_sharding_rule<([], [i, j])->([], [i, j]) {i=8, j=6} need_replication={i}, custom>}
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %i, %c : tensor<i32>, tensor<8x6xf32>
  }
  return %1#1 : tensor<8x6xf32>
}

// RUN: spmd-opt %s --spmd-propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy | FileCheck %s
// RUN: spmd-opt %s --spmd-explain="value=%%0" 2>&1 | FileCheck %s --check-prefix=EXPLAIN

// A pin to one device has no dims to compare with those of its value: at the border of the program, where shards are kept
// even, and where a line is looked for that splits what such a constraint reads.
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @one = <[], device_ids=[2]>
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}
// CHECK: sdy.sharding_constraint %0 <@one, []>
// EXPLAIN: %0, 'stablehlo.abs' op result 0
// EXPLAIN: dim 0 (size 4) is not split:
// EXPLAIN-NEXT: %1 dim 0 {{.*}}, which lies alike, is closed: [{}, {}]
// EXPLAIN-NEXT: to split it, write: %split = sdy.sharding_constraint %0 <@mesh, [{"x"}, {?}]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@one, []>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<4x8xf32>) -> (tensor<8x4xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.abs %c : tensor<4x8xf32>
  %1 = sdy.sharding_constraint %0 <@one, []> : tensor<4x8xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<4x8xf32>) -> tensor<8x4xf32>
  %3 = stablehlo.add %2, %b : tensor<8x4xf32>
  return %3, %a : tensor<8x4xf32>, tensor<4x8xf32>
}

// How ops split, in Shardy's notation and its order of factors: results first, what is summed last; of a reduction as its operand
// has them.
// RUN: spmd-opt %s --spmd-write-rules | FileCheck %s
// RUN: spmd-opt %s --spmd-write-rules | spmd-opt --spmd-write-rules | FileCheck %s

// CHECK-LABEL: func.func @ops
func.func @ops(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %i: tensor<5x1xi32>, %z: tensor<f32>) {
  // CHECK: dot_general {{.*}}#sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=6, k=4} reduction={k}>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  // CHECK: transpose {{.*}}#sdy.op_sharding_rule<([j, i])->([i, j]) {i=6, j=8}>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  // CHECK: reshape {{.*}}#sdy.op_sharding_rule<([i, jk])->([i, j, k]) {i=6, j=2, k=4}>
  %2 = stablehlo.reshape %1 : (tensor<6x8xf32>) -> tensor<6x2x4xf32>
  // CHECK: reduce({{.*}}#sdy.op_sharding_rule<([i, j, k], [])->([j, k]) {i=6, j=2, k=4} reduction={i}>
  %3 = stablehlo.reduce(%2 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<6x2x4xf32>, tensor<f32>) -> tensor<2x4xf32>
  // CHECK: broadcast_in_dim {{.*}}#sdy.op_sharding_rule<([j, k])->([i, j, k]) {i=3, j=2, k=4}>
  %4 = stablehlo.broadcast_in_dim %3, dims = [1, 2] : (tensor<2x4xf32>) -> tensor<3x2x4xf32>
  return
}

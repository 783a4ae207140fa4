// A user's rule of an op whose sizes are operands holds for the one that takes its place, but for these.
// RUN: spmd-opt %s --spmd-refine-shapes | FileCheck %s
// CHECK: stablehlo.reshape {{.*}}sdy.op_sharding_rule<([ij])->([i, j]) {i=3, j=5} blocked_propagation={j}, custom>
func.func @main(%a: tensor<15xf32>) -> tensor<3x5xf32> {
  %sizes = stablehlo.constant dense<[3, 5]> : tensor<2xi32>
  %0 = stablehlo.dynamic_reshape %a, %sizes {sdy.sharding_rule = #sdy.op_sharding_rule<([ij], [k])->([i, j]) {i=3, j=5, k=2} need_replication={k} blocked_propagation={j}, custom>} : (tensor<15xf32>, tensor<2xi32>) -> tensor<3x5xf32>
  return %0 : tensor<3x5xf32>
}

// What a user's rule forbids on ops that have rules of their own: each runs whole along such dims, and gives the same.
// RUN: spmd-run %s
// RUN: sed 's/"x"=2, "y"=3/"x"=4, "y"=2/' %s > %t.mlir && spmd-run %t.mlir
// RUN: sed 's/"x"=2, "y"=3/"x"=3, "y"=5/' %s > %t.mlir && spmd-run %t.mlir

sdy.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(%a: tensor<7x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %w: tensor<9x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %s: tensor<13x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {?}]>}) -> (tensor<7x6xf32>, tensor<11x9xf32>, tensor<13x9xf32>, tensor<39x3xf32>, tensor<13x9xf32>, tensor<9x7xf32>) {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=7, j=6, k=9} need_replication={k}, custom>} : (tensor<7x9xf32>, tensor<9x6xf32>) -> tensor<7x6xf32>
  %1 = stablehlo.slice %s [1:12, 0:9] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, j]) {i=13, j=9, k=11} need_replication={i, k}, custom>} : (tensor<13x9xf32>) -> tensor<11x9xf32>
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %2 = "stablehlo.reduce_window"(%s, %z) <{window_dimensions = array<i64: 3, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %m = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %m : tensor<f32>
  }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [])->([i, j]) {i=13, j=9} need_replication={i}, custom>} : (tensor<13x9xf32>, tensor<f32>) -> tensor<13x9xf32>
  %3 = stablehlo.reshape %s {sdy.sharding_rule = #sdy.op_sharding_rule<([i, jk])->([ij, k]) {i=13, j=3, k=3} need_replication={i}, custom>} : (tensor<13x9xf32>) -> tensor<39x3xf32>
  %4 = "stablehlo.sort"(%s) <{dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %m = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=13, j=9} need_replication={i}, custom>} : (tensor<13x9xf32>) -> tensor<13x9xf32>
  %5 = stablehlo.transpose %a, dims = [1, 0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, i]) {i=7, j=9, k=9}, custom>} : (tensor<7x9xf32>) -> tensor<9x7xf32>
  return %0, %1, %2, %3, %4, %5 : tensor<7x6xf32>, tensor<11x9xf32>, tensor<13x9xf32>, tensor<39x3xf32>, tensor<13x9xf32>, tensor<9x7xf32>
}

// RUN: spmd-opt %s --split-input-file --spmd-propagate -o %t
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --split-input-file --spmd-propagate | diff %t -
// RUN: spmd-opt %s --split-input-file --spmd-pipeline | FileCheck %s --check-prefix=MOVES --implicit-check-not='"stablehlo.{{all_|reduce_scatter|collective_}}'

// Ulysses: three constraints say that attention has its heads split and not the sequence. Queries, keys and values
// go there by an all-to-all each, and what attention gives goes back by one.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: ->
// CHECK-SAME: [{}, {"cp"}, {}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"cp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"cp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"cp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"cp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"cp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"cp", ?}, {?}]>
// MOVES-LABEL: func.func public @main(
// MOVES: "stablehlo.all_to_all"{{.*}} -> tensor<2x8192x8x128xf32>
// MOVES: "stablehlo.all_to_all"{{.*}} -> tensor<2x8192x8x128xf32>
// MOVES: "stablehlo.all_to_all"{{.*}} -> tensor<2x8192x8x128xf32>
// MOVES: "stablehlo.all_to_all"{{.*}} -> tensor<2x2048x32x128xf32>
sdy.mesh @mesh = <["cp"=4]>
func.func public @main(%x: tensor<2x8192x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"cp"}, {}]>}, %wq: tensor<4096x32x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %wk: tensor<4096x32x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %wv: tensor<4096x32x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %wo: tensor<32x128x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) -> (tensor<2x8192x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"cp"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<2x8192x4096xf32>, tensor<4096x32x128xf32>) -> tensor<2x8192x32x128xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {}, {"cp"}, {}]> : tensor<2x8192x32x128xf32>
  %2 = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0] : (tensor<2x8192x4096xf32>, tensor<4096x32x128xf32>) -> tensor<2x8192x32x128xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{}, {}, {"cp"}, {}]> : tensor<2x8192x32x128xf32>
  %4 = stablehlo.dot_general %x, %wv, contracting_dims = [2] x [0] : (tensor<2x8192x4096xf32>, tensor<4096x32x128xf32>) -> tensor<2x8192x32x128xf32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{}, {}, {"cp"}, {}]> : tensor<2x8192x32x128xf32>
  %6 = stablehlo.dot_general %1, %3, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x8192x32x128xf32>, tensor<2x8192x32x128xf32>) -> tensor<2x32x8192x8192xf32>
  %7 = stablehlo.exponential %6 : tensor<2x32x8192x8192xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %8 = stablehlo.reduce(%7 init: %cst) applies stablehlo.add across dimensions = [3] : (tensor<2x32x8192x8192xf32>, tensor<f32>) -> tensor<2x32x8192xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<2x32x8192xf32>) -> tensor<2x32x8192x1xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1, 2, 3] : (tensor<2x32x8192x1xf32>) -> tensor<2x32x8192x8192xf32>
  %11 = stablehlo.divide %7, %10 : tensor<2x32x8192x8192xf32>
  %12 = stablehlo.dot_general %5, %11, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x8192x32x128xf32>, tensor<2x32x8192x8192xf32>) -> tensor<2x32x128x8192xf32>
  %13 = stablehlo.transpose %12, dims = [0, 3, 1, 2] : (tensor<2x32x128x8192xf32>) -> tensor<2x8192x32x128xf32>
  %14 = stablehlo.dot_general %13, %wo, contracting_dims = [3, 2] x [1, 0] : (tensor<2x8192x32x128xf32>, tensor<32x128x4096xf32>) -> tensor<2x8192x4096xf32>
  return %14 : tensor<2x8192x4096xf32>
}

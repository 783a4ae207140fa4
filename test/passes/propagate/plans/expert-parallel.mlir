// RUN: spmd-opt %s --split-input-file --spmd-propagate -o %t
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --split-input-file --spmd-propagate | diff %t -
// RUN: spmd-opt %s --split-input-file --spmd-pipeline | FileCheck %s --check-prefix=MOVES --implicit-check-not='"stablehlo.{{all_|reduce_scatter|collective_}}'

// A mixture of experts by dispatch and combine einsums, with groups of tokens and experts on one axis. Dispatched
// tokens have the groups split in front of the experts and the experts inside: one all-to-all there, one back.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: ->
// CHECK-SAME: [{"ep", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}]>
// MOVES-LABEL: func.func public @main(
// MOVES: "stablehlo.all_to_all"{{.*}} -> tensor<1x8x512x2048xf32>
// MOVES: "stablehlo.all_to_all"{{.*}} -> tensor<8x1x512x2048xf32>
sdy.mesh @mesh = <["ep"=8]>
func.func public @main(%x: tensor<8x2048x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}, %router: tensor<2048x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %wi: tensor<8x2048x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}, %wo: tensor<8x8192x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}) -> tensor<8x2048x2048xf32> {
  %0 = stablehlo.dot_general %x, %router, contracting_dims = [2] x [0] : (tensor<8x2048x2048xf32>, tensor<2048x8xf32>) -> tensor<8x2048x8xf32>
  %1 = stablehlo.exponential %0 : tensor<8x2048x8xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x2048x8xf32>, tensor<f32>) -> tensor<8x2048xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x2048xf32>) -> tensor<8x2048x1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x2048x1xf32>) -> tensor<8x2048x8xf32>
  %5 = stablehlo.divide %1, %4 : tensor<8x2048x8xf32>
  %6 = call @argmax(%5) : (tensor<8x2048x8xf32>) -> tensor<8x2048xi32>
  %7 = call @_one_hot(%6) : (tensor<8x2048xi32>) -> tensor<8x2048x8xf32>
  %8 = call @cumsum(%7) : (tensor<8x2048x8xf32>) -> tensor<8x2048x8xf32>
  %9 = stablehlo.multiply %8, %7 : tensor<8x2048x8xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %10 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x2048x8xf32>
  %11 = stablehlo.subtract %9, %10 : tensor<8x2048x8xf32>
  %12 = stablehlo.convert %11 : (tensor<8x2048x8xf32>) -> tensor<8x2048x8xi32>
  %13 = call @_one_hot_1(%12) : (tensor<8x2048x8xi32>) -> tensor<8x2048x8x512xf32>
  %14 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2] : (tensor<8x2048x8xf32>) -> tensor<8x2048x8x1xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2, 3] : (tensor<8x2048x8x1xf32>) -> tensor<8x2048x8x512xf32>
  %16 = stablehlo.multiply %13, %15 : tensor<8x2048x8x512xf32>
  %17 = stablehlo.multiply %5, %7 : tensor<8x2048x8xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %18 = stablehlo.reduce(%17 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<8x2048x8xf32>, tensor<f32>) -> tensor<8x2048xf32>
  %19 = stablehlo.broadcast_in_dim %18, dims = [0, 1] : (tensor<8x2048xf32>) -> tensor<8x2048x1x1xf32>
  %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2, 3] : (tensor<8x2048x1x1xf32>) -> tensor<8x2048x8x512xf32>
  %21 = stablehlo.multiply %16, %20 : tensor<8x2048x8x512xf32>
  %22 = stablehlo.dot_general %x, %16, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<8x2048x2048xf32>, tensor<8x2048x8x512xf32>) -> tensor<8x2048x8x512xf32>
  %23 = stablehlo.transpose %22, dims = [2, 0, 3, 1] : (tensor<8x2048x8x512xf32>) -> tensor<8x8x512x2048xf32>
  %24 = stablehlo.dot_general %23, %wi, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<8x8x512x2048xf32>, tensor<8x2048x8192xf32>) -> tensor<8x8x512x8192xf32>
  %25 = stablehlo.tanh %24 : tensor<8x8x512x8192xf32>
  %26 = stablehlo.dot_general %25, %wo, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<8x8x512x8192xf32>, tensor<8x8192x2048xf32>) -> tensor<8x8x512x2048xf32>
  %27 = stablehlo.dot_general %21, %26, batching_dims = [0] x [1], contracting_dims = [3, 2] x [2, 0] : (tensor<8x2048x8x512xf32>, tensor<8x8x512x2048xf32>) -> tensor<8x2048x2048xf32>
  return %27 : tensor<8x2048x2048xf32>
}
func.func private @argmax(%x: tensor<8x2048x8xf32>) -> tensor<8x2048xi32> {
  %0 = stablehlo.iota dim = 2 : tensor<8x2048x8xi32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.reduce(%x init: %cst), (%0 init: %c) across dimensions = [2] : (tensor<8x2048x8xf32>, tensor<8x2048x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x2048xf32>, tensor<8x2048xi32>)
   reducer(%router: tensor<f32>, %wo: tensor<f32>) (%wi: tensor<i32>, %arg4: tensor<i32>)  {
    %2 = stablehlo.compare GT, %router, %wo, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %router, %router, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %router, %wo, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %wi, %arg4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %router, %wo : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %wi, %arg4 : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  return %1#1 : tensor<8x2048xi32>
}
func.func private @_one_hot(%x: tensor<8x2048xi32>) -> tensor<8x2048x8xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<8x2048xi32>) -> tensor<8x2048x1xi32>
  %1 = stablehlo.iota dim = 2 : tensor<1x1x8xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x2048x1xi32>) -> tensor<8x2048x8xi32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x8xi32>) -> tensor<8x2048x8xi32>
  %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x2048x8xi32>, tensor<8x2048x8xi32>) -> tensor<8x2048x8xi1>
  %5 = stablehlo.convert %4 : (tensor<8x2048x8xi1>) -> tensor<8x2048x8xf32>
  return %5 : tensor<8x2048x8xf32>
}
func.func private @cumsum(%x: tensor<8x2048x8xf32>) -> tensor<8x2048x8xf32> {
  %0 = call @cumsum_0(%x) : (tensor<8x2048x8xf32>) -> tensor<8x2048x8xf32>
  return %0 : tensor<8x2048x8xf32>
}
func.func private @cumsum_0(%x: tensor<8x2048x8xf32>) -> tensor<8x2048x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%x, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [2047, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 2048, 1>, window_strides = array<i64: 1, 1, 1>}> ({
  ^bb0(%router: tensor<f32>, %wi: tensor<f32>):
    %2 = stablehlo.add %router, %wi : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<8x2048x8xf32>, tensor<f32>) -> tensor<8x2048x8xf32>
  return %1 : tensor<8x2048x8xf32>
}
func.func private @_one_hot_1(%x: tensor<8x2048x8xi32>) -> tensor<8x2048x8x512xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1, 2] : (tensor<8x2048x8xi32>) -> tensor<8x2048x8x1xi32>
  %1 = stablehlo.iota dim = 3 : tensor<1x1x1x512xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<8x2048x8x1xi32>) -> tensor<8x2048x8x512xi32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xi32>) -> tensor<8x2048x8x512xi32>
  %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x2048x8x512xi32>, tensor<8x2048x8x512xi32>) -> tensor<8x2048x8x512xi1>
  %5 = stablehlo.convert %4 : (tensor<8x2048x8x512xi1>) -> tensor<8x2048x8x512xf32>
  return %5 : tensor<8x2048x8x512xf32>
}

// -----

// Two more backward. What is summed over devices is the gradient of the router, which lies whole.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: ->
// CHECK-SAME: [{"ep", ?}, {?}, {?}]>
// CHECK-SAME: [{?}, {?}]>
// CHECK-SAME: [{"ep", ?}, {?}, {?}]>
// CHECK-SAME: [{"ep", ?}, {?}, {?}]>
// CHECK-SAME: [{"ep", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"ep", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"ep", ?}, {?}, {?}]>
// MOVES-LABEL: func.func public @main(
// MOVES-COUNT-4: "stablehlo.all_to_all"
// MOVES: "stablehlo.reduce_scatter"
// MOVES: "stablehlo.all_gather"
sdy.mesh @mesh = <["ep"=8]>
func.func public @main(%x: tensor<8x2048x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}, %router: tensor<2048x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %wi: tensor<8x2048x8192xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}, %wo: tensor<8x8192x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}, %dy: tensor<8x2048x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"ep"}, {}, {}]>}) -> (tensor<8x2048x2048xf32>, tensor<2048x8xf32>, tensor<8x2048x8192xf32>, tensor<8x8192x2048xf32>, tensor<8x2048x2048xf32>) {
  %0 = stablehlo.dot_general %x, %router, contracting_dims = [2] x [0] : (tensor<8x2048x2048xf32>, tensor<2048x8xf32>) -> tensor<8x2048x8xf32>
  %1 = stablehlo.exponential %0 : tensor<8x2048x8xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %2 = stablehlo.reduce(%1 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<8x2048x8xf32>, tensor<f32>) -> tensor<8x2048xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0, 1] : (tensor<8x2048xf32>) -> tensor<8x2048x1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x2048x1xf32>) -> tensor<8x2048x8xf32>
  %5 = stablehlo.divide %1, %4 : tensor<8x2048x8xf32>
  %6 = stablehlo.multiply %3, %3 : tensor<8x2048x1xf32>
  %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %7 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8x2048x1xf32>
  %8 = stablehlo.divide %7, %6 : tensor<8x2048x1xf32>
  %9 = call @argmax(%5) : (tensor<8x2048x8xf32>) -> tensor<8x2048xi32>
  %10 = call @_one_hot(%9) : (tensor<8x2048xi32>) -> tensor<8x2048x8xf32>
  %11 = call @cumsum(%10) : (tensor<8x2048x8xf32>) -> tensor<8x2048x8xf32>
  %12 = stablehlo.multiply %11, %10 : tensor<8x2048x8xf32>
  %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %13 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<8x2048x8xf32>
  %14 = stablehlo.subtract %12, %13 : tensor<8x2048x8xf32>
  %15 = stablehlo.convert %14 : (tensor<8x2048x8xf32>) -> tensor<8x2048x8xi32>
  %16 = call @_one_hot_1(%15) : (tensor<8x2048x8xi32>) -> tensor<8x2048x8x512xf32>
  %17 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<8x2048x8xf32>) -> tensor<8x2048x8x1xf32>
  %18 = stablehlo.broadcast_in_dim %17, dims = [0, 1, 2, 3] : (tensor<8x2048x8x1xf32>) -> tensor<8x2048x8x512xf32>
  %19 = stablehlo.multiply %16, %18 : tensor<8x2048x8x512xf32>
  %20 = stablehlo.multiply %5, %10 : tensor<8x2048x8xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %21 = stablehlo.reduce(%20 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<8x2048x8xf32>, tensor<f32>) -> tensor<8x2048xf32>
  %22 = stablehlo.broadcast_in_dim %21, dims = [0, 1] : (tensor<8x2048xf32>) -> tensor<8x2048x1x1xf32>
  %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2, 3] : (tensor<8x2048x1x1xf32>) -> tensor<8x2048x8x512xf32>
  %24 = stablehlo.multiply %19, %23 : tensor<8x2048x8x512xf32>
  %25 = stablehlo.dot_general %x, %19, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<8x2048x2048xf32>, tensor<8x2048x8x512xf32>) -> tensor<8x2048x8x512xf32>
  %26 = stablehlo.transpose %25, dims = [2, 0, 3, 1] : (tensor<8x2048x8x512xf32>) -> tensor<8x8x512x2048xf32>
  %27 = stablehlo.dot_general %26, %wi, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<8x8x512x2048xf32>, tensor<8x2048x8192xf32>) -> tensor<8x8x512x8192xf32>
  %28 = stablehlo.tanh %27 : tensor<8x8x512x8192xf32>
  %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %29 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8x8x512x8192xf32>
  %30 = stablehlo.subtract %29, %28 : tensor<8x8x512x8192xf32>
  %31 = stablehlo.dot_general %28, %wo, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<8x8x512x8192xf32>, tensor<8x8192x2048xf32>) -> tensor<8x8x512x2048xf32>
  %32 = stablehlo.dot_general %24, %31, batching_dims = [0] x [1], contracting_dims = [3, 2] x [2, 0] : (tensor<8x2048x8x512xf32>, tensor<8x8x512x2048xf32>) -> tensor<8x2048x2048xf32>
  %33 = stablehlo.dot_general %dy, %24, batching_dims = [0] x [0], contracting_dims = [1] x [1] : (tensor<8x2048x2048xf32>, tensor<8x2048x8x512xf32>) -> tensor<8x2048x8x512xf32>
  %34 = stablehlo.transpose %33, dims = [2, 0, 3, 1] : (tensor<8x2048x8x512xf32>) -> tensor<8x8x512x2048xf32>
  %35 = stablehlo.dot_general %dy, %31, batching_dims = [0] x [1], contracting_dims = [2] x [3] : (tensor<8x2048x2048xf32>, tensor<8x8x512x2048xf32>) -> tensor<8x2048x8x512xf32>
  %36 = stablehlo.dot_general %34, %28, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 2] : (tensor<8x8x512x2048xf32>, tensor<8x8x512x8192xf32>) -> tensor<8x2048x8192xf32>
  %37 = stablehlo.transpose %36, dims = [0, 2, 1] : (tensor<8x2048x8192xf32>) -> tensor<8x8192x2048xf32>
  %38 = stablehlo.dot_general %34, %wo, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<8x8x512x2048xf32>, tensor<8x8192x2048xf32>) -> tensor<8x8x512x8192xf32>
  %39 = stablehlo.multiply %38, %30 : tensor<8x8x512x8192xf32>
  %40 = stablehlo.multiply %39, %28 : tensor<8x8x512x8192xf32>
  %41 = stablehlo.add %39, %40 : tensor<8x8x512x8192xf32>
  %42 = stablehlo.dot_general %41, %26, batching_dims = [0] x [0], contracting_dims = [1, 2] x [1, 2] : (tensor<8x8x512x8192xf32>, tensor<8x8x512x2048xf32>) -> tensor<8x8192x2048xf32>
  %43 = stablehlo.transpose %42, dims = [0, 2, 1] : (tensor<8x8192x2048xf32>) -> tensor<8x2048x8192xf32>
  %44 = stablehlo.dot_general %41, %wi, batching_dims = [0] x [0], contracting_dims = [3] x [2] : (tensor<8x8x512x8192xf32>, tensor<8x2048x8192xf32>) -> tensor<8x8x512x2048xf32>
  %45 = stablehlo.transpose %44, dims = [1, 3, 0, 2] : (tensor<8x8x512x2048xf32>) -> tensor<8x2048x8x512xf32>
  %46 = stablehlo.dot_general %45, %19, batching_dims = [0] x [0], contracting_dims = [2, 3] x [2, 3] : (tensor<8x2048x8x512xf32>, tensor<8x2048x8x512xf32>) -> tensor<8x2048x2048xf32>
  %47 = stablehlo.transpose %46, dims = [0, 2, 1] : (tensor<8x2048x2048xf32>) -> tensor<8x2048x2048xf32>
  %48 = stablehlo.multiply %19, %35 : tensor<8x2048x8x512xf32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %49 = stablehlo.reduce(%48 init: %cst_4) applies stablehlo.add across dimensions = [2, 3] : (tensor<8x2048x8x512xf32>, tensor<f32>) -> tensor<8x2048xf32>
  %50 = stablehlo.reshape %49 : (tensor<8x2048xf32>) -> tensor<8x2048x1x1xf32>
  %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %51 = stablehlo.reduce(%50 init: %cst_5) applies stablehlo.add across dimensions = [2, 3] : (tensor<8x2048x1x1xf32>, tensor<f32>) -> tensor<8x2048xf32>
  %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<8x2048xf32>) -> tensor<8x2048x8xf32>
  %53 = stablehlo.multiply %52, %10 : tensor<8x2048x8xf32>
  %54 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2] : (tensor<8x2048x1xf32>) -> tensor<8x2048x8xf32>
  %55 = stablehlo.multiply %53, %54 : tensor<8x2048x8xf32>
  %56 = stablehlo.multiply %55, %1 : tensor<8x2048x8xf32>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %57 = stablehlo.reduce(%56 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<8x2048x8xf32>, tensor<f32>) -> tensor<8x2048xf32>
  %58 = stablehlo.reshape %57 : (tensor<8x2048xf32>) -> tensor<8x2048x1xf32>
  %59 = stablehlo.negate %58 : tensor<8x2048x1xf32>
  %60 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<8x2048x1xf32>) -> tensor<8x2048x8xf32>
  %61 = stablehlo.divide %53, %60 : tensor<8x2048x8xf32>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %62 = stablehlo.reduce(%59 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<8x2048x1xf32>, tensor<f32>) -> tensor<8x2048xf32>
  %63 = stablehlo.broadcast_in_dim %62, dims = [0, 1] : (tensor<8x2048xf32>) -> tensor<8x2048x8xf32>
  %64 = stablehlo.add %61, %63 : tensor<8x2048x8xf32>
  %65 = stablehlo.multiply %64, %1 : tensor<8x2048x8xf32>
  %66 = stablehlo.dot_general %65, %x, contracting_dims = [0, 1] x [0, 1] : (tensor<8x2048x8xf32>, tensor<8x2048x2048xf32>) -> tensor<8x2048xf32>
  %67 = stablehlo.transpose %66, dims = [1, 0] : (tensor<8x2048xf32>) -> tensor<2048x8xf32>
  %68 = stablehlo.dot_general %65, %router, contracting_dims = [2] x [1] : (tensor<8x2048x8xf32>, tensor<2048x8xf32>) -> tensor<8x2048x2048xf32>
  %69 = stablehlo.add %47, %68 : tensor<8x2048x2048xf32>
  return %32, %67, %43, %37, %69 : tensor<8x2048x2048xf32>, tensor<2048x8xf32>, tensor<8x2048x8192xf32>, tensor<8x8192x2048xf32>, tensor<8x2048x2048xf32>
}
func.func private @argmax(%x: tensor<8x2048x8xf32>) -> tensor<8x2048xi32> {
  %0 = stablehlo.iota dim = 2 : tensor<8x2048x8xi32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %1:2 = stablehlo.reduce(%x init: %cst), (%0 init: %c) across dimensions = [2] : (tensor<8x2048x8xf32>, tensor<8x2048x8xi32>, tensor<f32>, tensor<i32>) -> (tensor<8x2048xf32>, tensor<8x2048xi32>)
   reducer(%router: tensor<f32>, %wo: tensor<f32>) (%wi: tensor<i32>, %dy: tensor<i32>)  {
    %2 = stablehlo.compare GT, %router, %wo, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %3 = stablehlo.compare NE, %router, %router, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %4 = stablehlo.or %2, %3 : tensor<i1>
    %5 = stablehlo.compare EQ, %router, %wo, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %6 = stablehlo.compare LT, %wi, %dy, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %7 = stablehlo.and %5, %6 : tensor<i1>
    %8 = stablehlo.or %4, %7 : tensor<i1>
    %9 = stablehlo.select %4, %router, %wo : tensor<i1>, tensor<f32>
    %10 = stablehlo.select %8, %wi, %dy : tensor<i1>, tensor<i32>
    stablehlo.return %9, %10 : tensor<f32>, tensor<i32>
  }
  return %1#1 : tensor<8x2048xi32>
}
func.func private @_one_hot(%x: tensor<8x2048xi32>) -> tensor<8x2048x8xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1] : (tensor<8x2048xi32>) -> tensor<8x2048x1xi32>
  %1 = stablehlo.iota dim = 2 : tensor<1x1x8xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<8x2048x1xi32>) -> tensor<8x2048x8xi32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x8xi32>) -> tensor<8x2048x8xi32>
  %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x2048x8xi32>, tensor<8x2048x8xi32>) -> tensor<8x2048x8xi1>
  %5 = stablehlo.convert %4 : (tensor<8x2048x8xi1>) -> tensor<8x2048x8xf32>
  return %5 : tensor<8x2048x8xf32>
}
func.func private @cumsum(%x: tensor<8x2048x8xf32>) -> tensor<8x2048x8xf32> {
  %0 = call @cumsum_0(%x) : (tensor<8x2048x8xf32>) -> tensor<8x2048x8xf32>
  return %0 : tensor<8x2048x8xf32>
}
func.func private @cumsum_0(%x: tensor<8x2048x8xf32>) -> tensor<8x2048x8xf32> {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<f32>
  %1 = "stablehlo.reduce_window"(%x, %0) <{base_dilations = array<i64: 1, 1, 1>, padding = dense<[[0, 0], [2047, 0], [0, 0]]> : tensor<3x2xi64>, window_dilations = array<i64: 1, 1, 1>, window_dimensions = array<i64: 1, 2048, 1>, window_strides = array<i64: 1, 1, 1>}> ({
  ^bb0(%router: tensor<f32>, %wi: tensor<f32>):
    %2 = stablehlo.add %router, %wi : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<8x2048x8xf32>, tensor<f32>) -> tensor<8x2048x8xf32>
  return %1 : tensor<8x2048x8xf32>
}
func.func private @_one_hot_1(%x: tensor<8x2048x8xi32>) -> tensor<8x2048x8x512xf32> {
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 1, 2] : (tensor<8x2048x8xi32>) -> tensor<8x2048x8x1xi32>
  %1 = stablehlo.iota dim = 3 : tensor<1x1x1x512xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2, 3] : (tensor<8x2048x8x1xi32>) -> tensor<8x2048x8x512xi32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x1x1x512xi32>) -> tensor<8x2048x8x512xi32>
  %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8x2048x8x512xi32>, tensor<8x2048x8x512xi32>) -> tensor<8x2048x8x512xi1>
  %5 = stablehlo.convert %4 : (tensor<8x2048x8x512xi1>) -> tensor<8x2048x8x512xf32>
  return %5 : tensor<8x2048x8x512xf32>
}

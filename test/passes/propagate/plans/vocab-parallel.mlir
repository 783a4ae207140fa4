// RUN: spmd-opt %s --split-input-file --spmd-propagate -o %t
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --split-input-file --spmd-propagate | diff %t -
// RUN: spmd-opt %s --split-input-file --spmd-pipeline=bucket-bytes=0 | FileCheck %s --check-prefix=MOVES --implicit-check-not='"stablehlo.{{all_|reduce_scatter|collective_}}' --implicit-check-not=2x2048x131072

// The vocabulary is sharded in the embedding and in the head. Rows that a device does not have are zeros, and a
// reduce-scatter over the tokens adds them up. Logits stay sharded, and no device makes anything as large as all of them. The
// loss reduces two numbers a token, the maximum and the sum of exponentials, and then its total.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: ->
// CHECK-SAME: []>
// CHECK: stablehlo.gather{{.*}}<@mesh, [{?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}]>
// CHECK: stablehlo.reduce{{.*}}<@mesh, [{?}, {?}]>
// CHECK: stablehlo.reduce{{.*}}<@mesh, [{?}, {?}]>
// CHECK: stablehlo.reduce{{.*}}<@mesh, [{?}, {?}]>
// CHECK: stablehlo.reduce{{.*}}<@mesh, []>
// MOVES-LABEL: func.func public @main(
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<2x2048x4096xf32>) -> tensor<2x512x4096xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<2x2048x4096xf32>
// MOVES: "stablehlo.all_reduce"
// MOVES: }) : (tensor<2x2048xf32>) -> tensor<2x2048xf32>
// MOVES: "stablehlo.all_reduce"
// MOVES: }) : (tensor<2x2048xf32>) -> tensor<2x2048xf32>
// MOVES: "stablehlo.all_reduce"
// MOVES: }) : (tensor<f32>) -> tensor<f32>
sdy.mesh @mesh = <["tp"=4]>
func.func public @main(%tokens: tensor<2x2048xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %labels: tensor<2x2048xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %table: tensor<131072x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>}, %head: tensor<4096x131072xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}) -> tensor<f32> {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x2048xi32>
  %1 = stablehlo.compare LT, %tokens, %0, SIGNED : (tensor<2x2048xi32>, tensor<2x2048xi32>) -> tensor<2x2048xi1>
  %c_0 = stablehlo.constant dense<131072> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x2048xi32>
  %3 = stablehlo.add %tokens, %2 : tensor<2x2048xi32>
  %4 = stablehlo.select %1, %3, %tokens : tensor<2x2048xi1>, tensor<2x2048xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x2048xi32>) -> tensor<2x2048x1xi32>
  %6 = "stablehlo.gather"(%table, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4096>}> : (tensor<131072x4096xf32>, tensor<2x2048x1xi32>) -> tensor<2x2048x4096xf32>
  %7 = stablehlo.tanh %6 : tensor<2x2048x4096xf32>
  %8 = stablehlo.dot_general %7, %head, contracting_dims = [2] x [0] : (tensor<2x2048x4096xf32>, tensor<4096x131072xf32>) -> tensor<2x2048x131072xf32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %9 = stablehlo.reduce(%8 init: %cst) applies stablehlo.maximum across dimensions = [2] : (tensor<2x2048x131072xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<2x2048xf32>) -> tensor<2x2048x1xf32>
  %11 = stablehlo.broadcast_in_dim %10, dims = [0, 1, 2] : (tensor<2x2048x1xf32>) -> tensor<2x2048x131072xf32>
  %12 = stablehlo.subtract %8, %11 : tensor<2x2048x131072xf32>
  %13 = stablehlo.exponential %12 : tensor<2x2048x131072xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x131072xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %15 = stablehlo.log %14 : tensor<2x2048xf32>
  %16 = call @_one_hot(%labels) : (tensor<2x2048xi32>) -> tensor<2x2048x131072xf32>
  %17 = stablehlo.multiply %12, %16 : tensor<2x2048x131072xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %18 = stablehlo.reduce(%17 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x131072xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %19 = stablehlo.subtract %15, %18 : tensor<2x2048xf32>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2048xf32>, tensor<f32>) -> tensor<f32>
  return %20 : tensor<f32>
}
func.func private @_one_hot(%tokens: tensor<2x2048xi32>) -> tensor<2x2048x131072xf32> {
  %0 = stablehlo.broadcast_in_dim %tokens, dims = [0, 1] : (tensor<2x2048xi32>) -> tensor<2x2048x1xi32>
  %1 = stablehlo.iota dim = 2 : tensor<1x1x131072xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<2x2048x1xi32>) -> tensor<2x2048x131072xi32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x131072xi32>) -> tensor<2x2048x131072xi32>
  %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2x2048x131072xi32>, tensor<2x2048x131072xi32>) -> tensor<2x2048x131072xi1>
  %5 = stablehlo.convert %4 : (tensor<2x2048x131072xi1>) -> tensor<2x2048x131072xf32>
  return %5 : tensor<2x2048x131072xf32>
}

// -----

// The gradient of the embedding is added up on the rows that a device has, and tokens need the sum of what the
// parts of the head give them.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: ->
// CHECK-SAME: []>
// CHECK-SAME: [{"tp", ?}, {?}]>
// CHECK-SAME: [{?}, {"tp", ?}]>
// CHECK: stablehlo.gather{{.*}}<@mesh, [{?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}]>
// CHECK: stablehlo.reduce{{.*}}<@mesh, [{?}, {?}]>
// CHECK: stablehlo.reduce{{.*}}<@mesh, [{?}, {?}]>
// CHECK: stablehlo.reduce{{.*}}<@mesh, [{?}, {?}]>
// CHECK: stablehlo.reduce{{.*}}<@mesh, []>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"tp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {?}]>
// MOVES-LABEL: func.func public @main(
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<2x2048x4096xf32>) -> tensor<2x512x4096xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<2x2048x4096xf32>
// MOVES: "stablehlo.all_reduce"
// MOVES: }) : (tensor<2x2048xf32>) -> tensor<2x2048xf32>
// MOVES: "stablehlo.all_reduce"
// MOVES: }) : (tensor<2x2048xf32>) -> tensor<2x2048xf32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<2x2048x4096xf32>) -> tensor<2x512x4096xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<2x2048x4096xf32>
// MOVES: "stablehlo.all_reduce"
// MOVES: }) : (tensor<f32>) -> tensor<f32>
sdy.mesh @mesh = <["tp"=4]>
func.func public @main(%tokens: tensor<2x2048xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %labels: tensor<2x2048xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %table: tensor<131072x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>}, %head: tensor<4096x131072xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}) -> (tensor<f32>, tensor<131072x4096xf32>, tensor<4096x131072xf32>) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<2x2048xi32>
  %1 = stablehlo.compare LT, %tokens, %0, SIGNED : (tensor<2x2048xi32>, tensor<2x2048xi32>) -> tensor<2x2048xi1>
  %c_0 = stablehlo.constant dense<131072> : tensor<i32>
  %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<2x2048xi32>
  %3 = stablehlo.add %tokens, %2 : tensor<2x2048xi32>
  %4 = stablehlo.select %1, %3, %tokens : tensor<2x2048xi1>, tensor<2x2048xi32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<2x2048xi32>) -> tensor<2x2048x1xi32>
  %6 = "stablehlo.gather"(%table, %5) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 4096>}> : (tensor<131072x4096xf32>, tensor<2x2048x1xi32>) -> tensor<2x2048x4096xf32>
  %7 = stablehlo.tanh %6 : tensor<2x2048x4096xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<2x2048x4096xf32>
  %9 = stablehlo.subtract %8, %7 : tensor<2x2048x4096xf32>
  %10 = stablehlo.dot_general %7, %head, contracting_dims = [2] x [0] : (tensor<2x2048x4096xf32>, tensor<4096x131072xf32>) -> tensor<2x2048x131072xf32>
  %cst_1 = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %11 = stablehlo.reduce(%10 init: %cst_1) applies stablehlo.maximum across dimensions = [2] : (tensor<2x2048x131072xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1] : (tensor<2x2048xf32>) -> tensor<2x2048x1xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2] : (tensor<2x2048x1xf32>) -> tensor<2x2048x131072xf32>
  %14 = stablehlo.subtract %10, %13 : tensor<2x2048x131072xf32>
  %15 = stablehlo.exponential %14 : tensor<2x2048x131072xf32>
  %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %16 = stablehlo.reduce(%15 init: %cst_2) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x131072xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %17 = stablehlo.log %16 : tensor<2x2048xf32>
  %18 = call @_one_hot(%labels) : (tensor<2x2048xi32>) -> tensor<2x2048x131072xf32>
  %19 = stablehlo.multiply %14, %18 : tensor<2x2048x131072xf32>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %20 = stablehlo.reduce(%19 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x131072xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %21 = stablehlo.subtract %17, %20 : tensor<2x2048xf32>
  %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %22 = stablehlo.reduce(%21 init: %cst_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x2048xf32>, tensor<f32>) -> tensor<f32>
  %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %23 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2048xf32>
  %24 = stablehlo.negate %23 : tensor<2x2048xf32>
  %25 = stablehlo.broadcast_in_dim %24, dims = [0, 1] : (tensor<2x2048xf32>) -> tensor<2x2048x131072xf32>
  %26 = stablehlo.multiply %25, %18 : tensor<2x2048x131072xf32>
  %27 = stablehlo.divide %23, %16 : tensor<2x2048xf32>
  %28 = stablehlo.broadcast_in_dim %27, dims = [0, 1] : (tensor<2x2048xf32>) -> tensor<2x2048x131072xf32>
  %29 = stablehlo.multiply %28, %15 : tensor<2x2048x131072xf32>
  %30 = stablehlo.add %26, %29 : tensor<2x2048x131072xf32>
  %31 = stablehlo.dot_general %30, %7, contracting_dims = [0, 1] x [0, 1] : (tensor<2x2048x131072xf32>, tensor<2x2048x4096xf32>) -> tensor<131072x4096xf32>
  %32 = stablehlo.transpose %31, dims = [1, 0] : (tensor<131072x4096xf32>) -> tensor<4096x131072xf32>
  %33 = stablehlo.dot_general %30, %head, contracting_dims = [2] x [1] : (tensor<2x2048x131072xf32>, tensor<4096x131072xf32>) -> tensor<2x2048x4096xf32>
  %34 = stablehlo.multiply %33, %9 : tensor<2x2048x4096xf32>
  %35 = stablehlo.multiply %34, %7 : tensor<2x2048x4096xf32>
  %36 = stablehlo.add %34, %35 : tensor<2x2048x4096xf32>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %37 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<131072x4096xf32>
  %38 = "stablehlo.scatter"(%37, %5, %36) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%arg4: tensor<f32>, %arg5: tensor<f32>):
    %45 = stablehlo.add %arg4, %arg5 : tensor<f32>
    stablehlo.return %45 : tensor<f32>
  }) : (tensor<131072x4096xf32>, tensor<2x2048x1xi32>, tensor<2x2048x4096xf32>) -> tensor<131072x4096xf32>
  %cst_7 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
  %39 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<131072x4096xf32>
  %40 = stablehlo.multiply %39, %38 : tensor<131072x4096xf32>
  %41 = stablehlo.subtract %table, %40 : tensor<131072x4096xf32>
  %cst_8 = stablehlo.constant dense<1.000000e-01> : tensor<f32>
  %42 = stablehlo.broadcast_in_dim %cst_8, dims = [] : (tensor<f32>) -> tensor<4096x131072xf32>
  %43 = stablehlo.multiply %42, %32 : tensor<4096x131072xf32>
  %44 = stablehlo.subtract %head, %43 : tensor<4096x131072xf32>
  return %22, %41, %44 : tensor<f32>, tensor<131072x4096xf32>, tensor<4096x131072xf32>
}
func.func private @_one_hot(%tokens: tensor<2x2048xi32>) -> tensor<2x2048x131072xf32> {
  %0 = stablehlo.broadcast_in_dim %tokens, dims = [0, 1] : (tensor<2x2048xi32>) -> tensor<2x2048x1xi32>
  %1 = stablehlo.iota dim = 2 : tensor<1x1x131072xi32>
  %2 = stablehlo.broadcast_in_dim %0, dims = [0, 1, 2] : (tensor<2x2048x1xi32>) -> tensor<2x2048x131072xi32>
  %3 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2] : (tensor<1x1x131072xi32>) -> tensor<2x2048x131072xi32>
  %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<2x2048x131072xi32>, tensor<2x2048x131072xi32>) -> tensor<2x2048x131072xi1>
  %5 = stablehlo.convert %4 : (tensor<2x2048x131072xi1>) -> tensor<2x2048x131072xf32>
  return %5 : tensor<2x2048x131072xf32>
}

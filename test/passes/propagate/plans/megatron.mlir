// RUN: spmd-opt %s --split-input-file --spmd-propagate -o %t
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --split-input-file --spmd-propagate | diff %t -
// RUN: sed '/^\/\/ -----/,$d' %s | spmd-opt - --spmd-pipeline | FileCheck %s --check-prefix=MOVES --implicit-check-not='"stablehlo.{{all_|reduce_scatter|collective_}}'
// RUN: sed '1,/^\/\/ -----/d' %s | spmd-run - --engine=none --json=%t.json
// RUN: %python %S/../../../at_most.py %t.json wire_bytes_per_device 402702336

// Megatron's tensor parallelism. Only the weights have shardings: heads and the hidden layer are sharded. The output of
// attention and of the layer behind it is reduce-scattered along the sequence. The residual and the norm are computed
// there, and the norm is gathered for the next layer. All-reduces would send as many bytes, and repeat the norms.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: ->
// CHECK-SAME: [{?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"tp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"tp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {?}]>
// MOVES-LABEL: func.func public @main(
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<2x2048x4096xf32>) -> tensor<2x512x4096xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<2x2048x4096xf32>
// MOVES: "stablehlo.reduce_scatter"
// MOVES: }) : (tensor<2x2048x4096xf32>) -> tensor<2x512x4096xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<2x2048x4096xf32>
sdy.mesh @mesh = <["tp"=4]>
func.func public @main(%x: tensor<2x2048x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %wq: tensor<4096x32x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}]>}, %wk: tensor<4096x32x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}]>}, %wv: tensor<4096x32x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}]>}, %wo: tensor<32x128x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}, {}]>}, %up: tensor<4096x16384xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}, %down: tensor<16384x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>}) -> tensor<2x2048x4096xf32> {
  %0 = stablehlo.multiply %x, %x : tensor<2x2048x4096xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x4096xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x2048xf32>) -> tensor<2x2048x1xf32>
  %3 = stablehlo.rsqrt %2 : tensor<2x2048x1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x2048x1xf32>) -> tensor<2x2048x4096xf32>
  %5 = stablehlo.multiply %x, %4 : tensor<2x2048x4096xf32>
  %6 = stablehlo.dot_general %5, %wq, contracting_dims = [2] x [0] : (tensor<2x2048x4096xf32>, tensor<4096x32x128xf32>) -> tensor<2x2048x32x128xf32>
  %7 = stablehlo.dot_general %5, %wk, contracting_dims = [2] x [0] : (tensor<2x2048x4096xf32>, tensor<4096x32x128xf32>) -> tensor<2x2048x32x128xf32>
  %8 = stablehlo.dot_general %5, %wv, contracting_dims = [2] x [0] : (tensor<2x2048x4096xf32>, tensor<4096x32x128xf32>) -> tensor<2x2048x32x128xf32>
  %9 = stablehlo.dot_general %6, %7, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x2048x32x128xf32>, tensor<2x2048x32x128xf32>) -> tensor<2x32x2048x2048xf32>
  %10 = stablehlo.exponential %9 : tensor<2x32x2048x2048xf32>
  %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %11 = stablehlo.reduce(%10 init: %cst_0) applies stablehlo.add across dimensions = [3] : (tensor<2x32x2048x2048xf32>, tensor<f32>) -> tensor<2x32x2048xf32>
  %12 = stablehlo.broadcast_in_dim %11, dims = [0, 1, 2] : (tensor<2x32x2048xf32>) -> tensor<2x32x2048x1xf32>
  %13 = stablehlo.broadcast_in_dim %12, dims = [0, 1, 2, 3] : (tensor<2x32x2048x1xf32>) -> tensor<2x32x2048x2048xf32>
  %14 = stablehlo.divide %10, %13 : tensor<2x32x2048x2048xf32>
  %15 = stablehlo.dot_general %8, %14, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x2048x32x128xf32>, tensor<2x32x2048x2048xf32>) -> tensor<2x32x128x2048xf32>
  %16 = stablehlo.transpose %15, dims = [0, 3, 1, 2] : (tensor<2x32x128x2048xf32>) -> tensor<2x2048x32x128xf32>
  %17 = stablehlo.dot_general %16, %wo, contracting_dims = [3, 2] x [1, 0] : (tensor<2x2048x32x128xf32>, tensor<32x128x4096xf32>) -> tensor<2x2048x4096xf32>
  %18 = stablehlo.add %x, %17 : tensor<2x2048x4096xf32>
  %19 = stablehlo.multiply %18, %18 : tensor<2x2048x4096xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %20 = stablehlo.reduce(%19 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x4096xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %21 = stablehlo.broadcast_in_dim %20, dims = [0, 1] : (tensor<2x2048xf32>) -> tensor<2x2048x1xf32>
  %22 = stablehlo.rsqrt %21 : tensor<2x2048x1xf32>
  %23 = stablehlo.broadcast_in_dim %22, dims = [0, 1, 2] : (tensor<2x2048x1xf32>) -> tensor<2x2048x4096xf32>
  %24 = stablehlo.multiply %18, %23 : tensor<2x2048x4096xf32>
  %25 = stablehlo.dot_general %24, %up, contracting_dims = [2] x [0] : (tensor<2x2048x4096xf32>, tensor<4096x16384xf32>) -> tensor<2x2048x16384xf32>
  %26 = stablehlo.tanh %25 : tensor<2x2048x16384xf32>
  %27 = stablehlo.dot_general %26, %down, contracting_dims = [2] x [0] : (tensor<2x2048x16384xf32>, tensor<16384x4096xf32>) -> tensor<2x2048x4096xf32>
  %28 = stablehlo.add %18, %27 : tensor<2x2048x4096xf32>
  return %28 : tensor<2x2048x4096xf32>
}

// -----

// The backward pass has two more reductions of this size, and two of one number a token for the gradients of the norms.
// The four large reductions send 402,653,184 bytes, the others at most 49,152.
// The gradients of the inputs of queries, keys and values are added before they are reduced. Gradients of weights have
// the shardings of the weights.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: ->
// CHECK-SAME: [{?}, {?}, {?}]>
// CHECK-SAME: [{"tp", ?}, {?}]>
// CHECK-SAME: [{?}, {"tp", ?}]>
// CHECK-SAME: [{?}, {"tp", ?}, {?}]>
// CHECK-SAME: [{"tp", ?}, {?}, {?}]>
// CHECK-SAME: [{?}, {"tp", ?}, {?}]>
// CHECK-SAME: [{?}, {"tp", ?}, {?}]>
// CHECK-SAME: [{?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"tp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"tp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"tp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"tp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"tp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {"tp", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"tp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"tp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"tp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {"tp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"tp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"tp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"tp", ?}, {?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{?}, {?}, {?}]>
sdy.mesh @mesh = <["tp"=4]>
func.func public @main(%x: tensor<2x2048x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}, %wq: tensor<4096x32x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}]>}, %wk: tensor<4096x32x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}]>}, %wv: tensor<4096x32x128xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}]>}, %wo: tensor<32x128x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}, {}]>}, %up: tensor<4096x16384xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}, %down: tensor<16384x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>}, %dy: tensor<2x2048x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>}) -> (tensor<2x2048x4096xf32>, tensor<16384x4096xf32>, tensor<4096x16384xf32>, tensor<4096x32x128xf32>, tensor<32x128x4096xf32>, tensor<4096x32x128xf32>, tensor<4096x32x128xf32>, tensor<2x2048x4096xf32>) {
  %0 = stablehlo.multiply %x, %x : tensor<2x2048x4096xf32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %1 = stablehlo.reduce(%0 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x4096xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1] : (tensor<2x2048xf32>) -> tensor<2x2048x1xf32>
  %3 = stablehlo.rsqrt %2 : tensor<2x2048x1xf32>
  %4 = stablehlo.divide %3, %2 : tensor<2x2048x1xf32>
  %cst_0 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
  %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<2x2048x1xf32>
  %6 = stablehlo.multiply %5, %4 : tensor<2x2048x1xf32>
  %7 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x2048x1xf32>) -> tensor<2x2048x4096xf32>
  %8 = stablehlo.multiply %x, %7 : tensor<2x2048x4096xf32>
  %9 = stablehlo.dot_general %8, %wq, contracting_dims = [2] x [0] : (tensor<2x2048x4096xf32>, tensor<4096x32x128xf32>) -> tensor<2x2048x32x128xf32>
  %10 = stablehlo.dot_general %8, %wk, contracting_dims = [2] x [0] : (tensor<2x2048x4096xf32>, tensor<4096x32x128xf32>) -> tensor<2x2048x32x128xf32>
  %11 = stablehlo.dot_general %8, %wv, contracting_dims = [2] x [0] : (tensor<2x2048x4096xf32>, tensor<4096x32x128xf32>) -> tensor<2x2048x32x128xf32>
  %12 = stablehlo.dot_general %9, %10, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3] : (tensor<2x2048x32x128xf32>, tensor<2x2048x32x128xf32>) -> tensor<2x32x2048x2048xf32>
  %13 = stablehlo.exponential %12 : tensor<2x32x2048x2048xf32>
  %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %14 = stablehlo.reduce(%13 init: %cst_1) applies stablehlo.add across dimensions = [3] : (tensor<2x32x2048x2048xf32>, tensor<f32>) -> tensor<2x32x2048xf32>
  %15 = stablehlo.broadcast_in_dim %14, dims = [0, 1, 2] : (tensor<2x32x2048xf32>) -> tensor<2x32x2048x1xf32>
  %16 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x32x2048x1xf32>) -> tensor<2x32x2048x2048xf32>
  %17 = stablehlo.divide %13, %16 : tensor<2x32x2048x2048xf32>
  %18 = stablehlo.multiply %15, %15 : tensor<2x32x2048x1xf32>
  %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %19 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<2x32x2048x1xf32>
  %20 = stablehlo.divide %19, %18 : tensor<2x32x2048x1xf32>
  %21 = stablehlo.dot_general %11, %17, batching_dims = [0, 2] x [0, 1], contracting_dims = [1] x [3] : (tensor<2x2048x32x128xf32>, tensor<2x32x2048x2048xf32>) -> tensor<2x32x128x2048xf32>
  %22 = stablehlo.transpose %21, dims = [0, 3, 1, 2] : (tensor<2x32x128x2048xf32>) -> tensor<2x2048x32x128xf32>
  %23 = stablehlo.dot_general %22, %wo, contracting_dims = [3, 2] x [1, 0] : (tensor<2x2048x32x128xf32>, tensor<32x128x4096xf32>) -> tensor<2x2048x4096xf32>
  %24 = stablehlo.add %x, %23 : tensor<2x2048x4096xf32>
  %25 = stablehlo.multiply %24, %24 : tensor<2x2048x4096xf32>
  %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %26 = stablehlo.reduce(%25 init: %cst_3) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x4096xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %27 = stablehlo.broadcast_in_dim %26, dims = [0, 1] : (tensor<2x2048xf32>) -> tensor<2x2048x1xf32>
  %28 = stablehlo.rsqrt %27 : tensor<2x2048x1xf32>
  %29 = stablehlo.divide %28, %27 : tensor<2x2048x1xf32>
  %cst_4 = stablehlo.constant dense<-5.000000e-01> : tensor<f32>
  %30 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<2x2048x1xf32>
  %31 = stablehlo.multiply %30, %29 : tensor<2x2048x1xf32>
  %32 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<2x2048x1xf32>) -> tensor<2x2048x4096xf32>
  %33 = stablehlo.multiply %24, %32 : tensor<2x2048x4096xf32>
  %34 = stablehlo.dot_general %33, %up, contracting_dims = [2] x [0] : (tensor<2x2048x4096xf32>, tensor<4096x16384xf32>) -> tensor<2x2048x16384xf32>
  %35 = stablehlo.tanh %34 : tensor<2x2048x16384xf32>
  %cst_5 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %36 = stablehlo.broadcast_in_dim %cst_5, dims = [] : (tensor<f32>) -> tensor<2x2048x16384xf32>
  %37 = stablehlo.subtract %36, %35 : tensor<2x2048x16384xf32>
  %38 = stablehlo.dot_general %35, %down, contracting_dims = [2] x [0] : (tensor<2x2048x16384xf32>, tensor<16384x4096xf32>) -> tensor<2x2048x4096xf32>
  %39 = stablehlo.add %24, %38 : tensor<2x2048x4096xf32>
  %40 = stablehlo.reshape %dy : (tensor<2x2048x4096xf32>) -> tensor<2x2048x4096xf32>
  %41 = stablehlo.reshape %dy : (tensor<2x2048x4096xf32>) -> tensor<2x2048x4096xf32>
  %42 = stablehlo.dot_general %41, %35, contracting_dims = [0, 1] x [0, 1] : (tensor<2x2048x4096xf32>, tensor<2x2048x16384xf32>) -> tensor<4096x16384xf32>
  %43 = stablehlo.transpose %42, dims = [1, 0] : (tensor<4096x16384xf32>) -> tensor<16384x4096xf32>
  %44 = stablehlo.dot_general %41, %down, contracting_dims = [2] x [1] : (tensor<2x2048x4096xf32>, tensor<16384x4096xf32>) -> tensor<2x2048x16384xf32>
  %45 = stablehlo.multiply %44, %37 : tensor<2x2048x16384xf32>
  %46 = stablehlo.multiply %45, %35 : tensor<2x2048x16384xf32>
  %47 = stablehlo.add %45, %46 : tensor<2x2048x16384xf32>
  %48 = stablehlo.dot_general %47, %33, contracting_dims = [0, 1] x [0, 1] : (tensor<2x2048x16384xf32>, tensor<2x2048x4096xf32>) -> tensor<16384x4096xf32>
  %49 = stablehlo.transpose %48, dims = [1, 0] : (tensor<16384x4096xf32>) -> tensor<4096x16384xf32>
  %50 = stablehlo.dot_general %47, %up, contracting_dims = [2] x [1] : (tensor<2x2048x16384xf32>, tensor<4096x16384xf32>) -> tensor<2x2048x4096xf32>
  %51 = stablehlo.multiply %24, %50 : tensor<2x2048x4096xf32>
  %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %52 = stablehlo.reduce(%51 init: %cst_6) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x4096xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %53 = stablehlo.reshape %52 : (tensor<2x2048xf32>) -> tensor<2x2048x1xf32>
  %54 = stablehlo.broadcast_in_dim %28, dims = [0, 1, 2] : (tensor<2x2048x1xf32>) -> tensor<2x2048x4096xf32>
  %55 = stablehlo.multiply %50, %54 : tensor<2x2048x4096xf32>
  %56 = stablehlo.add %40, %55 : tensor<2x2048x4096xf32>
  %57 = stablehlo.multiply %53, %31 : tensor<2x2048x1xf32>
  %cst_7 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %58 = stablehlo.reduce(%57 init: %cst_7) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x1xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1] : (tensor<2x2048xf32>) -> tensor<2x2048x4096xf32>
  %60 = stablehlo.multiply %24, %59 : tensor<2x2048x4096xf32>
  %61 = stablehlo.add %56, %60 : tensor<2x2048x4096xf32>
  %62 = stablehlo.multiply %59, %24 : tensor<2x2048x4096xf32>
  %63 = stablehlo.add %61, %62 : tensor<2x2048x4096xf32>
  %64 = stablehlo.dot_general %63, %22, contracting_dims = [0, 1] x [0, 1] : (tensor<2x2048x4096xf32>, tensor<2x2048x32x128xf32>) -> tensor<4096x32x128xf32>
  %65 = stablehlo.transpose %64, dims = [1, 2, 0] : (tensor<4096x32x128xf32>) -> tensor<32x128x4096xf32>
  %66 = stablehlo.dot_general %63, %wo, contracting_dims = [2] x [2] : (tensor<2x2048x4096xf32>, tensor<32x128x4096xf32>) -> tensor<2x2048x32x128xf32>
  %67 = stablehlo.transpose %66, dims = [0, 2, 3, 1] : (tensor<2x2048x32x128xf32>) -> tensor<2x32x128x2048xf32>
  %68 = stablehlo.dot_general %67, %11, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [3] : (tensor<2x32x128x2048xf32>, tensor<2x2048x32x128xf32>) -> tensor<2x32x2048x2048xf32>
  %69 = stablehlo.dot_general %67, %17, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [2] : (tensor<2x32x128x2048xf32>, tensor<2x32x2048x2048xf32>) -> tensor<2x32x128x2048xf32>
  %70 = stablehlo.transpose %69, dims = [0, 3, 1, 2] : (tensor<2x32x128x2048xf32>) -> tensor<2x2048x32x128xf32>
  %71 = stablehlo.broadcast_in_dim %20, dims = [0, 1, 2, 3] : (tensor<2x32x2048x1xf32>) -> tensor<2x32x2048x2048xf32>
  %72 = stablehlo.multiply %68, %71 : tensor<2x32x2048x2048xf32>
  %73 = stablehlo.multiply %72, %13 : tensor<2x32x2048x2048xf32>
  %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %74 = stablehlo.reduce(%73 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<2x32x2048x2048xf32>, tensor<f32>) -> tensor<2x32x2048xf32>
  %75 = stablehlo.reshape %74 : (tensor<2x32x2048xf32>) -> tensor<2x32x2048x1xf32>
  %76 = stablehlo.negate %75 : tensor<2x32x2048x1xf32>
  %77 = stablehlo.broadcast_in_dim %15, dims = [0, 1, 2, 3] : (tensor<2x32x2048x1xf32>) -> tensor<2x32x2048x2048xf32>
  %78 = stablehlo.divide %68, %77 : tensor<2x32x2048x2048xf32>
  %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %79 = stablehlo.reduce(%76 init: %cst_9) applies stablehlo.add across dimensions = [3] : (tensor<2x32x2048x1xf32>, tensor<f32>) -> tensor<2x32x2048xf32>
  %80 = stablehlo.broadcast_in_dim %79, dims = [0, 1, 2] : (tensor<2x32x2048xf32>) -> tensor<2x32x2048x2048xf32>
  %81 = stablehlo.add %78, %80 : tensor<2x32x2048x2048xf32>
  %82 = stablehlo.multiply %81, %13 : tensor<2x32x2048x2048xf32>
  %83 = stablehlo.dot_general %82, %9, batching_dims = [0, 1] x [0, 2], contracting_dims = [2] x [1] : (tensor<2x32x2048x2048xf32>, tensor<2x2048x32x128xf32>) -> tensor<2x32x2048x128xf32>
  %84 = stablehlo.transpose %83, dims = [0, 2, 1, 3] : (tensor<2x32x2048x128xf32>) -> tensor<2x2048x32x128xf32>
  %85 = stablehlo.dot_general %82, %10, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1] : (tensor<2x32x2048x2048xf32>, tensor<2x2048x32x128xf32>) -> tensor<2x32x2048x128xf32>
  %86 = stablehlo.transpose %85, dims = [0, 2, 1, 3] : (tensor<2x32x2048x128xf32>) -> tensor<2x2048x32x128xf32>
  %87 = stablehlo.dot_general %70, %8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x2048x32x128xf32>, tensor<2x2048x4096xf32>) -> tensor<32x128x4096xf32>
  %88 = stablehlo.transpose %87, dims = [2, 0, 1] : (tensor<32x128x4096xf32>) -> tensor<4096x32x128xf32>
  %89 = stablehlo.dot_general %70, %wv, contracting_dims = [2, 3] x [1, 2] : (tensor<2x2048x32x128xf32>, tensor<4096x32x128xf32>) -> tensor<2x2048x4096xf32>
  %90 = stablehlo.dot_general %84, %8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x2048x32x128xf32>, tensor<2x2048x4096xf32>) -> tensor<32x128x4096xf32>
  %91 = stablehlo.transpose %90, dims = [2, 0, 1] : (tensor<32x128x4096xf32>) -> tensor<4096x32x128xf32>
  %92 = stablehlo.dot_general %84, %wk, contracting_dims = [2, 3] x [1, 2] : (tensor<2x2048x32x128xf32>, tensor<4096x32x128xf32>) -> tensor<2x2048x4096xf32>
  %93 = stablehlo.add %89, %92 : tensor<2x2048x4096xf32>
  %94 = stablehlo.dot_general %86, %8, contracting_dims = [0, 1] x [0, 1] : (tensor<2x2048x32x128xf32>, tensor<2x2048x4096xf32>) -> tensor<32x128x4096xf32>
  %95 = stablehlo.transpose %94, dims = [2, 0, 1] : (tensor<32x128x4096xf32>) -> tensor<4096x32x128xf32>
  %96 = stablehlo.dot_general %86, %wq, contracting_dims = [2, 3] x [1, 2] : (tensor<2x2048x32x128xf32>, tensor<4096x32x128xf32>) -> tensor<2x2048x4096xf32>
  %97 = stablehlo.add %93, %96 : tensor<2x2048x4096xf32>
  %98 = stablehlo.multiply %x, %97 : tensor<2x2048x4096xf32>
  %cst_10 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %99 = stablehlo.reduce(%98 init: %cst_10) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x4096xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %100 = stablehlo.reshape %99 : (tensor<2x2048xf32>) -> tensor<2x2048x1xf32>
  %101 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<2x2048x1xf32>) -> tensor<2x2048x4096xf32>
  %102 = stablehlo.multiply %97, %101 : tensor<2x2048x4096xf32>
  %103 = stablehlo.add %63, %102 : tensor<2x2048x4096xf32>
  %104 = stablehlo.multiply %100, %6 : tensor<2x2048x1xf32>
  %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %105 = stablehlo.reduce(%104 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<2x2048x1xf32>, tensor<f32>) -> tensor<2x2048xf32>
  %106 = stablehlo.broadcast_in_dim %105, dims = [0, 1] : (tensor<2x2048xf32>) -> tensor<2x2048x4096xf32>
  %107 = stablehlo.multiply %x, %106 : tensor<2x2048x4096xf32>
  %108 = stablehlo.add %103, %107 : tensor<2x2048x4096xf32>
  %109 = stablehlo.multiply %106, %x : tensor<2x2048x4096xf32>
  %110 = stablehlo.add %108, %109 : tensor<2x2048x4096xf32>
  return %39, %43, %49, %91, %65, %95, %88, %110 : tensor<2x2048x4096xf32>, tensor<16384x4096xf32>, tensor<4096x16384xf32>, tensor<4096x32x128xf32>, tensor<32x128x4096xf32>, tensor<4096x32x128xf32>, tensor<4096x32x128xf32>, tensor<2x2048x4096xf32>
}

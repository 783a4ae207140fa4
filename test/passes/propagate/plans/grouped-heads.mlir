// RUN: spmd-opt %s --spmd-propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate --spmd-propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=MOVED

// Grouped-query attention with two heads of keys on four devices. Sharded along the whole axis, they would leave two devices
// without work on the scores. So propagation shards the heads of keys along the major part of the axis, and the eight queries
// of each along the rest, as the 16 heads of queries are sharded.
sdy.mesh @m = <["x"=4]>

// CHECK-LABEL: func.func @attention
// CHECK: %[[Q:.*]] = stablehlo.dot_general %arg0, %arg1, {{.*}} [{?}, {?}, {"x", ?}, {?}]
// CHECK: %[[K:.*]] = stablehlo.dot_general %arg0, %arg2, {{.*}} [{?}, {?}, {"x":(1)2, ?}, {?}]
// CHECK: %[[V:.*]] = stablehlo.dot_general %arg0, %arg3, {{.*}} [{?}, {?}, {"x":(1)2, ?}, {?}]
// CHECK: stablehlo.reshape %[[Q]] {{.*}} [{?}, {?}, {"x":(1)2, ?}, {"x":(2)2, ?}, {?}]
// CHECK: %[[SCORES:.*]] = stablehlo.dot_general {{.*}} [{?}, {"x":(1)2, ?}, {?}, {"x":(2)2, ?}, {?}]
// CHECK: stablehlo.dot_general %[[SCORES]], %[[V]], {{.*}} [{?}, {"x":(1)2, ?}, {?}, {"x":(2)2, ?}, {?}]

// The input is replicated, so the plan shards the batch instead, and only weights and the result move. An all-gather of
// the result sends half the bytes of an all-reduce.
// MOVED-LABEL: func.func @attention
// MOVED: "stablehlo.all_to_all"(%{{.*}}) {{.*}} -> tensor<4x1024xf32>
// MOVED: "stablehlo.all_gather"{{.*}} -> (tensor<4x8192xf32>, tensor<64x2x32xf32>, tensor<64x2x32xf32>, tensor<16x32x64xf32>)
// MOVED-NOT: "stablehlo.{{all|collective|reduce_scatter}}
// MOVED: -> tensor<1x2x512x8x512xf32>
// MOVED-NOT: "stablehlo.{{all|collective|reduce_scatter}}
// MOVED: "stablehlo.all_gather"(%{{.*}}) {{.*}} -> tensor<4x512x64xf32>
// MOVED-NOT: "stablehlo.{{all|collective|reduce_scatter}}
func.func @attention(%x: tensor<4x512x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}, {}]>},
                     %wq: tensor<64x16x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}, {}]>},
                     %wk: tensor<64x2x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}, {}]>},
                     %wv: tensor<64x2x32xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}, {}]>},
                     %wo: tensor<16x32x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}, {}]>})
    -> (tensor<4x512x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {}, {}]>}) {
  %q = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<4x512x64xf32>, tensor<64x16x32xf32>) -> tensor<4x512x16x32xf32>
  %k = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0] : (tensor<4x512x64xf32>, tensor<64x2x32xf32>) -> tensor<4x512x2x32xf32>
  %v = stablehlo.dot_general %x, %wv, contracting_dims = [2] x [0] : (tensor<4x512x64xf32>, tensor<64x2x32xf32>) -> tensor<4x512x2x32xf32>
  %groups = stablehlo.reshape %q : (tensor<4x512x16x32xf32>) -> tensor<4x512x2x8x32xf32>
  %scores = stablehlo.dot_general %groups, %k, batching_dims = [0, 2] x [0, 2], contracting_dims = [4] x [3] : (tensor<4x512x2x8x32xf32>, tensor<4x512x2x32xf32>) -> tensor<4x2x512x8x512xf32>
  %read = stablehlo.dot_general %scores, %v, batching_dims = [0, 1] x [0, 2], contracting_dims = [4] x [1] : (tensor<4x2x512x8x512xf32>, tensor<4x512x2x32xf32>) -> tensor<4x2x512x8x32xf32>
  %rows = stablehlo.transpose %read, dims = [0, 2, 1, 3, 4] : (tensor<4x2x512x8x32xf32>) -> tensor<4x512x2x8x32xf32>
  %heads = stablehlo.reshape %rows : (tensor<4x512x2x8x32xf32>) -> tensor<4x512x16x32xf32>
  %out = stablehlo.dot_general %heads, %wo, contracting_dims = [2, 3] x [0, 1] : (tensor<4x512x16x32xf32>, tensor<16x32x64xf32>) -> tensor<4x512x64xf32>
  return %out : tensor<4x512x64xf32>
}

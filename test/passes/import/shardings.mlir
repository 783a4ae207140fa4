// RUN: spmd-opt %s --split-input-file --spmd-import-shardings | FileCheck %s

// One mesh with the fewest axes for all that is said.
// CHECK: sdy.mesh @mesh = <["axis_0"=2, "axis_1"=4]>
// CHECK-LABEL: func @main
// CHECK-SAME: %arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"axis_0"}, {}]>}
// CHECK-SAME: %arg1: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"axis_1"}, {"axis_0"}]>}
// CHECK-SAME: -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
func.func @main(%arg0: tensor<8x6xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"},
                %arg1: tensor<8x6xf32> {mhlo.sharding = "{devices=[4,2]0,4,1,5,2,6,3,7}"})
    -> (tensor<8x6xf32> {mhlo.sharding = "{replicated}"}) {
  // CHECK: stablehlo.add {{.*}} : tensor<8x6xf32>
  // CHECK-NOT: mhlo.sharding
  %0 = stablehlo.add %arg0, %arg1 {mhlo.sharding = "{devices=[8,1]<=[8]}"} : tensor<8x6xf32>
  // CHECK: sdy.sharding_constraint {{.*}} <@mesh, [{"axis_0", "axis_1"}, {?}]>
  %1 = stablehlo.custom_call @Sharding(%0) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[8,1]<=[8]}"}
      : (tensor<8x6xf32>) -> tensor<8x6xf32>
  // CHECK: sdy.sharding_group {{.*}} group_id=3
  %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{unknown shard_as 3}"} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  // CHECK: return
  return %2 : tensor<8x6xf32>
}

// -----

// The module's own mesh is used; its axes are cut where needed.
// CHECK-LABEL: func @cut
// CHECK-SAME: #sdy.sharding<@own, [{"x":(1)2}]>
sdy.mesh @own = <["x"=8]>
func.func @cut(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2,4]<=[8] last_tile_dim_replicate}"}) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

// What stands between the border calls becomes a region; a value that is used as it is goes in whole.
// CHECK-LABEL: func @region
// CHECK: sdy.manual_computation(%arg0, %{{.*}}) in_shardings=[<@mesh, [{"axis_0"}, {}]>, <@mesh, [{}, {}]>]
// CHECK-SAME: out_shardings=[<@mesh, [{"axis_0"}, {}]>] manual_axes={"axis_0"}
// CHECK: stablehlo.multiply {{.*}} : tensor<2x3xf32>
// CHECK: sdy.return
func.func @region(%arg0: tensor<8x3xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}, %arg1: tensor<f32>) -> tensor<8x3xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8x3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %2 = stablehlo.multiply %0, %1 : tensor<2x3xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<2x3xf32>) -> tensor<8x3xf32>
  return %4 : tensor<8x3xf32>
}

// -----

// Along the other axes the region is global as before: they stay open, and may be pinned inside.
// CHECK-LABEL: func @free_axes
// CHECK: in_shardings=[<@mesh, [{?}, {"axis_1", ?}]>] out_shardings=[<@mesh, [{?}, {"axis_1", ?}]>] manual_axes={"axis_1"}
// CHECK: sdy.sharding_constraint {{.*}} <@mesh, [{"axis_0"}, {}]>
func.func @free_axes(%arg0: tensor<8x12xf32>) -> tensor<8x12xf32> {
  %0 = stablehlo.custom_call @Sharding(%arg0) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<8x12xf32>) -> tensor<8x12xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{devices=[1,1,4,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}"} : (tensor<8x12xf32>) -> tensor<8x3xf32>
  %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dims={manual}}"} : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,4,2]<=[2,4]T(1,0) last_tile_dims={manual, replicated}}"} : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : (tensor<8x3xf32>) -> tensor<8x12xf32>
  return %4 : tensor<8x12xf32>
}

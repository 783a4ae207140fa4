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
  // What an ordinary op says is a hint.
  // CHECK: stablehlo.add {{.*}} {spmd.sharding_hint = #sdy.sharding_per_value<[<@mesh, [{"axis_0", "axis_1"}, {}]>]>} : tensor<8x6xf32>
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

// -----

// A hint that the mesh has no axes for is dropped, and so is one that splits nothing; of several results, each has its own.
// CHECK: sdy.mesh @mesh = <["axis_0"=8]>
// CHECK-LABEL: func @hints
// CHECK: stablehlo.negate %arg0 : tensor<8x6xf32>
// CHECK: stablehlo.abs %{{.*}} : tensor<8x6xf32>
// CHECK: stablehlo.optimization_barrier {spmd.sharding_hint = #sdy.sharding_per_value<[<@mesh, [{"axis_0"}, {}]>, <@mesh, [{?}, {?}]>]>}
func.func @hints(%arg0: tensor<8x6xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) -> tensor<8x6xf32> {
  %0 = stablehlo.negate %arg0 {mhlo.sharding = "{devices=[3,1]<=[3]}"} : tensor<8x6xf32>
  %1 = stablehlo.abs %0 {mhlo.sharding = "{replicated}"} : tensor<8x6xf32>
  %2:2 = "stablehlo.optimization_barrier"(%1, %0) {mhlo.sharding = "{{devices=[8,1]<=[8]}, {replicated}}"} : (tensor<8x6xf32>, tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>)
  return %2#0 : tensor<8x6xf32>
}

// -----

// Where nothing else is said, hints make the mesh, if one has axes for all of them.
// CHECK: sdy.mesh @mesh = <["axis_0"=2, "axis_1"=4]>
// CHECK-LABEL: func @hints_alone
// CHECK: stablehlo.negate {{.*}}<@mesh, [{"axis_0", "axis_1"}]>
// CHECK: stablehlo.abs {{.*}}<@mesh, [{"axis_1"}]>
func.func @hints_alone(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 {mhlo.sharding = "{devices=[8]<=[8]}"} : tensor<8xf32>
  %1 = stablehlo.abs %0 {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"} : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// CHECK-NOT: sdy.mesh
// CHECK-LABEL: func @hints_apart
// CHECK: stablehlo.negate %arg0 : tensor<8xf32>
func.func @hints_apart(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 {mhlo.sharding = "{devices=[8]<=[8]}"} : tensor<8xf32>
  %1 = stablehlo.abs %0 {mhlo.sharding = "{devices=[3]<=[3]}"} : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// In a manual region, and beside a sharding in the other notation, a hint says nothing.
// CHECK-LABEL: func @hints_in_region
// CHECK: sdy.manual_computation
// CHECK: stablehlo.multiply {{.*}} : tensor<2x3xf32>
// CHECK: stablehlo.abs {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>} : tensor<8x3xf32>
sdy.mesh @mesh = <["x"=4]>
func.func @hints_in_region(%arg0: tensor<8x3xf32> {mhlo.sharding = "{devices=[4,1]<=[4]}"}) -> tensor<8x3xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.multiply %0, %0 {mhlo.sharding = "{devices=[4,1]<=[4]}"} : tensor<2x3xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[4,1]<=[4]}"} : (tensor<2x3xf32>) -> tensor<8x3xf32>
  %5 = stablehlo.abs %4 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>, mhlo.sharding = "{devices=[4,1]<=[4]}"} : tensor<8x3xf32>
  return %5 : tensor<8x3xf32>
}

// -----

// What one device holds alone lies on a mesh that is this device.
// CHECK: sdy.mesh @mesh = <["axis_0"=4]>
// CHECK-DAG: sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]>
// CHECK-DAG: sdy.mesh @maximal_mesh_1 = <[], device_ids=[1]>
// CHECK-LABEL: func @one_device
// CHECK-SAME: %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@maximal_mesh_3, [{}]>}
// CHECK-SAME: -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@maximal_mesh_1, [{}]>})
// CHECK: sdy.sharding_constraint {{.*}} <@maximal_mesh_3, [{}]>
func.func @one_device(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4]}"}, %arg1: tensor<8xf32> {mhlo.sharding = "{maximal device=3}"})
    -> (tensor<8xf32> {mhlo.sharding = "{maximal device=1}"}) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{maximal device=3}"} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// Arguments and results are members of groups, too.
// CHECK-LABEL: func @groups
// CHECK-SAME: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"axis_0"}]>}, %arg1: tensor<8xf32>)
// CHECK-DAG: sdy.sharding_group %arg0 group_id=1
// CHECK-DAG: sdy.sharding_group %arg1 group_id=1
// CHECK: %[[SUM:.*]] = stablehlo.add
// CHECK: sdy.sharding_group %[[SUM]] group_id=2
func.func @groups(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[4]<=[4] shard_as 1}"}, %arg1: tensor<8xf32> {mhlo.sharding = "{unknown shard_like 1}"})
    -> (tensor<8xf32> {mhlo.sharding = "{unknown shard_as 2}"}) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A function that is called in a manual region says how its values lie along the other axes.
// CHECK-LABEL: func private @called
// CHECK-SAME: %arg0: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"axis_0"}, {}]>}, %arg1: tensor<3xf32>)
func.func private @called(%arg0: tensor<8x3xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dims={manual}}"}, %arg1: tensor<3xf32> {mhlo.sharding = "{manual}"}) -> tensor<8x3xf32> {
  return %arg0 : tensor<8x3xf32>
}

// -----

// Orders of devices that no one mesh has axes for are meshes of their own; what parts of the program
// are local is on the first.
// CHECK-LABEL: sdy.mesh @mesh = <["axis_0"=2, "axis_1"=4]>
// CHECK-NEXT: sdy.mesh @[[BACK:.*]] = <["axis_0"=8], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
// CHECK-NEXT: sdy.mesh @[[OTHER:.*]] = <["axis_0"=8], device_ids=[0, 3, 6, 5, 1, 2, 7, 4]>
// CHECK: %arg0: tensor<9x8xf32> {sdy.sharding = #sdy.sharding<@[[BACK]], [{"axis_0"}, {}]>}
// CHECK: -> (tensor<9x8xf32> {sdy.sharding = #sdy.sharding<@[[OTHER]], [{}, {"axis_0"}]>})
// CHECK: sdy.sharding_constraint %arg0 <@mesh, [{}, {}]>
// CHECK: sdy.manual_computation{{.*}} manual_axes={"axis_1"}
func.func @orders(%arg0: tensor<9x8xf32> {mhlo.sharding = "{devices=[8,1]7,6,5,4,3,2,1,0}"}) -> (tensor<9x8xf32> {mhlo.sharding = "{devices=[1,8]0,3,6,5,1,2,7,4}"}) {
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{replicated}"} : (tensor<9x8xf32>) -> tensor<9x8xf32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={replicated, manual}}"} : (tensor<9x8xf32>) -> tensor<9x8xf32>
  %2 = stablehlo.add %1, %1 : tensor<9x8xf32>
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={replicated, manual}}"} : (tensor<9x8xf32>) -> tensor<9x8xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{replicated}"} : (tensor<9x8xf32>) -> tensor<9x8xf32>
  return %4 : tensor<9x8xf32>
}

// -----

// What is sharded in both notations, and agrees, keeps what it says in the first.
// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4, "one"=1]>
sdy.mesh @mesh = <["x"=2, "y"=4, "one"=1]>
// CHECK-LABEL: func @both(
// CHECK-SAME: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "one"}, {}]>}
// CHECK-SAME: %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {?}]>}
// CHECK-SAME: %arg2: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}, {"y":(2)2}]>}
// CHECK-SAME: %arg3: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
func.func @both(
    %arg0: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}", sdy.sharding = #sdy.sharding<@mesh, [{"x", "one"}, {}]>},
    %arg1: tensor<8x8xf32> {mhlo.sharding = "{devices=[4,2]<=[8]}", sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p1, {?}]>},
    %arg2: tensor<8x8xf32> {mhlo.sharding = "{devices=[2,2,2]<=[2,2,2]T(1,2,0) last_tile_dim_replicate}", sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}, {"y":(2)2}]>},
    %arg3: tensor<8x8xf32> {mhlo.sharding = "{unknown}", sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x8xf32> {
  // CHECK: sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {?}]>
  %0 = stablehlo.custom_call @Sharding(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {?}]>]>} : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Dims of no elements are not cut, whatever the notation says of them; others of the tensor are.
// CHECK-LABEL: func @no_elements
// CHECK-SAME: %arg0: tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"axis_1"}]>}
// CHECK-SAME: -> (tensor<0x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
func.func @no_elements(%arg0: tensor<0x8xf32> {mhlo.sharding = "{devices=[2,4]<=[8]}"}) -> (tensor<0x8xf32> {mhlo.sharding = "{devices=[8,1]<=[8]}"}) {
  // CHECK: sdy.sharding_constraint %arg0 <@mesh, [{}, {"axis_0"}]>
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"} : (tensor<0x8xf32>) -> tensor<0x8xf32>
  // CHECK: stablehlo.add
  // CHECK-NOT: spmd.hint
  %1 = stablehlo.add %0, %0 {mhlo.sharding = "{devices=[8,1]<=[8]}"} : tensor<0x8xf32>
  return %1 : tensor<0x8xf32>
}

// -----

// A mesh is added for what those of the module have no axes for, or only parts of axes for what is manual.
// CHECK: sdy.mesh @mesh = <["x"=2, "y"=8]>
// CHECK: sdy.mesh @mesh_0 = <["u"=8, "v"=2]>
// CHECK-LABEL: func @other_mesh
// CHECK-SAME: %arg0: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)4}, {}]>}
// CHECK: sdy.manual_computation({{.*}}) in_shardings=[<@mesh_0, [{"u", ?}, {?}]>] out_shardings=[<@mesh_0, [{"u", ?}, {?}]>] manual_axes={"u"}
sdy.mesh @mesh = <["x"=2, "y"=8]>
func.func @other_mesh(%arg0: tensor<16x8xf32> {mhlo.sharding = "{mesh['x'=2,'y'=8] [{'y':(1)4},{}]}"}) -> tensor<16x8xf32> {
  %in = stablehlo.custom_call @Sharding(%arg0) {mhlo.sharding = "{mesh['u'=8,'v'=2] [{'u'},{}]}"} : (tensor<16x8xf32>) -> tensor<16x8xf32>
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%in) {mhlo.sharding = "{mesh['u'=8,'v'=2] [{?},{?}], manual={'u'}}"} : (tensor<16x8xf32>) -> tensor<2x8xf32>
  %1 = stablehlo.negate %0 : tensor<2x8xf32>
  %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{mesh['u'=8,'v'=2] [{?},{?}], manual={'u'}}"} : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{mesh['u'=8,'v'=2] [{'u'},{}]}"} : (tensor<2x8xf32>) -> tensor<16x8xf32>
  return %3 : tensor<16x8xf32>
}

// -----

// Of 8 devices, those that a sharding does not name hold copies.
// CHECK: sdy.mesh @mesh = <["idle"=2, "a"=2, "b"=2]>
// CHECK: sdy.mesh @maximal_mesh_3 = <[], device_ids=[3]>
// CHECK-LABEL: func @some_devices
// CHECK-SAME: %arg0: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"idle"}, {"a"}]>}
// CHECK-SAME: %arg1: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}
// CHECK-SAME: %arg2: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@maximal_mesh_3, [{}, {}]>}
module attributes {mhlo.num_partitions = 8 : i32} {
  func.func @some_devices(%arg0: tensor<4x6xf32> {mhlo.sharding = "{devices=[2,2]1,3,5,7}"},
                          %arg1: tensor<4x6xf32> {mhlo.sharding = "{mesh['a'=2,'b'=2] [{'a'},{'b'}]}"},
                          %arg2: tensor<4x6xf32> {mhlo.sharding = "{maximal device=3}"}) { return }
}

// -----

// A barrier lets shardings through in one direction.
// CHECK-LABEL: func @barriers
// CHECK: sdy.propagation_barrier %arg0 allowed_direction=BACKWARD : tensor<8xf32>
// CHECK: sdy.propagation_barrier %{{.*}} allowed_direction=FORWARD : tensor<8xf32>
func.func @barriers(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @ShardBarrierFrom(%arg0) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @ShardBarrierTo(%0) {has_side_effect = true} : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// -----

// In the body of a loop: values from around it go in whole, constants are made anew, and both stay where others use them.
// CHECK-LABEL: func @region_in_loop
// CHECK: %[[ONES:.*]] = stablehlo.constant dense<1.{{.*}} : tensor<4xf32>
// CHECK: %[[AROUND:.*]] = stablehlo.abs %arg1
// CHECK: stablehlo.while
// CHECK: sdy.manual_computation(%{{.*}}, %[[AROUND]], %arg1) in_shardings=[<@mesh, [{"axis_0"}]>, <@mesh, [{}]>, <@mesh, [{}]>]
// CHECK-SAME: (%[[PART:.*]]: tensor<4xf32>, %[[IN:.*]]: tensor<4xf32>, %[[ARG:.*]]: tensor<4xf32>)
// CHECK: %[[ONES_AGAIN:.*]] = stablehlo.constant
// CHECK: stablehlo.add %[[PART]], %[[ONES_AGAIN]]
// CHECK: stablehlo.add %{{.*}}, %[[IN]]
// CHECK: stablehlo.add %{{.*}}, %[[ARG]]
// CHECK: sdy.return
// CHECK: stablehlo.add %[[AROUND]], %arg1
// CHECK: stablehlo.add %{{.*}}, %[[ONES]]
func.func @region_in_loop(%arg0: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}, %arg1: tensor<4xf32>, %arg2: tensor<i32>) -> (tensor<8xf32>, tensor<4xf32>) {
  %ones = stablehlo.constant dense<1.0> : tensor<4xf32>
  %around = stablehlo.abs %arg1 : tensor<4xf32>
  %0:2 = stablehlo.while(%i = %arg2, %x = %arg0) : tensor<i32>, tensor<8xf32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %more = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %j = stablehlo.subtract %i, %one : tensor<i32>
    %1 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
    %2 = stablehlo.custom_call @SPMDFullToShardShape(%1) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<4xf32>
    %3 = stablehlo.add %2, %ones : tensor<4xf32>
    %4 = stablehlo.add %3, %around : tensor<4xf32>
    %5 = stablehlo.add %4, %arg1 : tensor<4xf32>
    %6 = stablehlo.custom_call @SPMDShardToFullShape(%5) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
    stablehlo.return %j, %6 : tensor<i32>, tensor<8xf32>
  }
  %7 = stablehlo.add %around, %arg1 : tensor<4xf32>
  %8 = stablehlo.add %7, %ones : tensor<4xf32>
  return %0#1, %8 : tensor<8xf32>, tensor<4xf32>
}

// -----

// The regions of ops go with them: their arguments are local, what they use of the outside goes in. Sizes may be unknown.
// CHECK-LABEL: func @ops_with_regions
// CHECK: sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{}, {"axis_0"}]>, <@mesh, []>] out_shardings=[<@mesh, [{}]>]
// CHECK-SAME: (%[[PART:.*]]: tensor<?x4xf32>, %[[SCALE:.*]]: tensor<f32>)
// CHECK: reducer(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>)
// CHECK: %[[SUM:.*]] = stablehlo.add %[[A]], %[[B]]
// CHECK: stablehlo.multiply %[[SUM]], %[[SCALE]]
func.func @ops_with_regions(%arg0: tensor<?x8xf32> {mhlo.sharding = "{devices=[1,2]<=[2]}"}, %arg1: tensor<f32>) -> tensor<?xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<?x8xf32>) -> tensor<?x4xf32>
  %1 = "stablehlo.reduce"(%0, %arg1) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    %3 = stablehlo.multiply %2, %arg1 : tensor<f32>
    stablehlo.return %3 : tensor<f32>
  }) : (tensor<?x4xf32>, tensor<f32>) -> tensor<?xf32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%1) {mhlo.sharding = "{replicated}"} : (tensor<?xf32>) -> tensor<?xf32>
  return %4 : tensor<?xf32>
}

// -----

// A region may begin with what is computed from whole values; only its last op is marked, what that takes stays outside.
// CHECK-LABEL: func @begins_with_op
// CHECK: %[[OUTSIDE:.*]] = stablehlo.negate %arg0
// CHECK: sdy.manual_computation(%[[OUTSIDE]]) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{"axis_0"}]>]
// CHECK: stablehlo.abs
// CHECK: sdy.return
func.func @begins_with_op(%arg0: tensor<4xf32>, %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  %0 = stablehlo.negate %arg0 : tensor<4xf32>
  %1 = stablehlo.abs %0 : tensor<4xf32>
  %2 = stablehlo.custom_call @Sharding(%1) {mhlo.sharding = "{manual}"} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.custom_call @SPMDShardToFullShape(%2) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// A whole value that nothing is known of is replicated, if its part has its type.
// CHECK-LABEL: func @unknown_whole
// CHECK: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{}]>] out_shardings=[<@mesh, [{}]>] manual_axes={"axis_0"}
func.func @unknown_whole(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {mhlo.sharding = "{devices=[2]<=[2]}"}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {mhlo.sharding = "{manual}"} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @SPMDShardToFullShape(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return %1 : tensor<8xf32>
}

// RUN: spmd-opt %s --spmd-optimize --split-input-file | FileCheck %s
// RUN: spmd-opt %s --spmd-optimize=groups=mesh-axes --split-input-file | FileCheck %s --check-prefix=AXES
// RUN: spmd-opt %s --spmd-optimize=bucket-bytes=32 --split-input-file | FileCheck %s --check-prefix=SMALL
// RUN: not spmd-opt %s --spmd-optimize=bucket-bytes=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: bucket-bytes option: '-1' value invalid

module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=4]>

// Equal collectives become one, and what is gathered along two dims is sent once; other groups make another.
// CHECK-LABEL: func.func @share(
// CHECK-DAG: %[[A:.+]] = "stablehlo.all_gather"(%arg0) <{{.*}}dense<{{\[\[}}0, 1, 2, 3], [4, 5, 6, 7]]>
// CHECK-DAG: %[[C:.+]] = "stablehlo.all_gather"(%arg0) <{{.*}}dense<{{\[\[}}0, 4], [1, 5], [2, 6], [3, 7]]>
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: %[[TURNED:.+]] = stablehlo.transpose %{{.*}}, dims = [1, 0, 2] : (tensor<4x2x4xf32>)
// CHECK: %[[B:.+]] = stablehlo.reshape %[[TURNED]] : (tensor<2x4x4xf32>) -> tensor<2x16xf32>
// CHECK: return %[[A]], %[[A]], %[[B]], %[[C]]
// AXES-LABEL: func.func @share(
// AXES: stablehlo.all_gather{{.*}}replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>
func.func @share(%a: tensor<2x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>, tensor<2x16xf32>, tensor<4x4xf32>) {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
  %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
  %2 = "stablehlo.all_gather"(%a) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<2x16xf32>
  %3 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
  return %0, %1, %2, %3 : tensor<8x4xf32>, tensor<8x4xf32>, tensor<2x16xf32>, tensor<4x4xf32>
}

// All-reduces that do not wait for each other become one; with 32 bytes a bucket, two fit and the third does not.
// CHECK-LABEL: func.func @bucket(
// CHECK: %[[ALL:.+]]:3 = "stablehlo.all_reduce"(%arg0, %arg1, %arg2)
// CHECK: return %[[ALL]]#0, %[[ALL]]#1, %[[ALL]]#2
// SMALL-LABEL: func.func @bucket(
// SMALL-DAG: %[[TWO:.+]]:2 = "stablehlo.all_reduce"(%arg0, %arg1)
// SMALL-DAG: %[[LAST:.+]] = "stablehlo.all_reduce"(%arg2)
// SMALL: return %[[TWO]]#0, %[[TWO]]#1, %[[LAST]]
func.func @bucket(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%c) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %0, %1, %2 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// One that reads another's result cannot join it, and a maximum does not join a sum.
// CHECK-LABEL: func.func @dependent(
// CHECK-COUNT-3: "stablehlo.all_reduce"(%{{[a-z0-9]+}}) <
func.func @dependent(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.maximum %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %1, %2 : tensor<4xf32>, tensor<4xf32>
}

// Each device takes its own piece of the sum: a reduce-scatter. The offset is written by hand.
// CHECK-LABEL: func.func @own_piece(
// CHECK-NOT: all_reduce
// CHECK: %[[PIECE:.+]] = "stablehlo.reduce_scatter"(%arg0) <{{.*}}scatter_dimension = 0
// CHECK: return %[[PIECE]]
func.func @own_piece(%a: tensor<8x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %four = stablehlo.constant dense<4> : tensor<ui32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %place = stablehlo.remainder %id, %four : tensor<ui32>
  %row = stablehlo.multiply %two, %place : tensor<ui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %1 = stablehlo.dynamic_slice %0, %row, %zero, sizes = [2, 3] : (tensor<8x3xf32>, tensor<ui32>, tensor<ui32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}

// Here device 1 takes what would be device 2's: the pieces are strided. The all-reduce stays.
// CHECK-LABEL: func.func @piece_of_another(
// CHECK: stablehlo.all_reduce
// CHECK: stablehlo.dynamic_slice
func.func @piece_of_another(%a: tensor<8x3xf32>) -> tensor<2x3xf32> {
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 1, 3], [4, 6, 5, 7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %four = stablehlo.constant dense<4> : tensor<ui32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %place = stablehlo.remainder %id, %four : tensor<ui32>
  %row = stablehlo.multiply %two, %place : tensor<ui32>
  %zero = stablehlo.constant dense<0> : tensor<ui32>
  %1 = stablehlo.dynamic_slice %0, %row, %zero, sizes = [2, 3] : (tensor<8x3xf32>, tensor<ui32>, tensor<ui32>) -> tensor<2x3xf32>
  return %1 : tensor<2x3xf32>
}
}

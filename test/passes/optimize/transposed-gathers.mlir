// RUN: spmd-opt %s --split-input-file --spmd-optimize=bucket-bytes=0 | FileCheck %s
// RUN: spmd-opt %s --split-input-file --spmd-optimize="gathers=recompute bucket-bytes=0" | FileCheck %s --check-prefix=AGAIN

module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=2, "y"=4]>

// A value and its transpose are gathered once, the later turned; along another dim, or over another group, anew.
// CHECK-LABEL: func.func @turned(
// CHECK: %[[T:.+]] = stablehlo.transpose %arg0, dims = [2, 0, 1]
// CHECK: %[[A:.+]] = "stablehlo.all_gather"(%[[T]]) <{all_gather_dim = 1 : i64
// CHECK: %[[B:.+]] = stablehlo.transpose %[[A]], dims = [1, 2, 0] : (tensor<5x8x3xf32>) -> tensor<8x3x5xf32>
// CHECK-NEXT: %[[C:.+]] = stablehlo.transpose %[[A]], dims = [1, 0, 2] : (tensor<5x8x3xf32>) -> tensor<8x5x3xf32>
// CHECK: %[[D:.+]] = "stablehlo.all_gather"(%arg0) {{.*}} -> tensor<4x3x5xf32>
// CHECK: return %[[A]], %[[B]], %[[C]], %[[D]]
// Where each is gathered for its reader, both are.
// AGAIN-LABEL: func.func @turned(
// AGAIN-COUNT-4: "stablehlo.all_gather"
func.func @turned(%a: tensor<2x3x5xf32>) -> (tensor<5x8x3xf32>, tensor<8x3x5xf32>, tensor<8x5x3xf32>, tensor<4x3x5xf32>) {
  %t = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x3x5xf32>) -> tensor<5x2x3xf32>
  %0 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<5x2x3xf32>) -> tensor<5x8x3xf32>
  %1 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<2x3x5xf32>) -> tensor<8x3x5xf32>
  %u = stablehlo.transpose %t, dims = [1, 0, 2] : (tensor<5x2x3xf32>) -> tensor<2x5x3xf32>
  %2 = "stablehlo.all_gather"(%u) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> : (tensor<2x5x3xf32>) -> tensor<8x5x3xf32>
  %3 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> : (tensor<2x3x5xf32>) -> tensor<4x3x5xf32>
  return %0, %1, %2, %3 : tensor<5x8x3xf32>, tensor<8x3x5xf32>, tensor<8x5x3xf32>, tensor<4x3x5xf32>
}
}

// -----

module attributes {mhlo.num_partitions = 8 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=8]>

// What would be held while the most is held is gathered twice.
// CHECK-LABEL: func.func @held(
// CHECK-COUNT-2: "stablehlo.all_gather"
func.func @held(%w: tensor<2x32xf32>, %x: tensor<64x32xf32>) -> tensor<64x32xf32> {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<2x32xf32>) -> tensor<32x2xf32>
  %0 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> : (tensor<32x2xf32>) -> tensor<32x16xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  %wide = stablehlo.convert %1 : (tensor<64x16xf32>) -> tensor<64x16xf64>
  %2 = stablehlo.tanh %wide : tensor<64x16xf64>
  %3 = stablehlo.multiply %wide, %2 : tensor<64x16xf64>
  %4 = stablehlo.convert %3 : (tensor<64x16xf64>) -> tensor<64x16xf32>
  %5 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> : (tensor<2x32xf32>) -> tensor<16x32xf32>
  %6 = stablehlo.dot_general %4, %5, contracting_dims = [1] x [0] : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
  return %6 : tensor<64x32xf32>
}
}

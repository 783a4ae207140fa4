// RUN: spmd-opt %s --spmd-optimize=bucket-bytes=0 | FileCheck %s

// No more memory is taken for a gather in another order: a weight that is read later anyway is transposed, one that the forward pass
// read last is gathered again for the backward pass, as FSDP has it.
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
// CHECK-LABEL: func.func @held(
// CHECK: %[[ALL:.+]] = "stablehlo.all_gather"
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: stablehlo.transpose %[[ALL]]
func.func @held(%w: tensor<3x800xf32>, %x: tensor<5x12xf32>) -> (tensor<5x800xf32>, tensor<5x12xf32>) {
  %0 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x800xf32>) -> tensor<12x800xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<5x12xf32>, tensor<12x800xf32>) -> tensor<5x800xf32>
  %s0 = stablehlo.tanh %1 : tensor<5x800xf32>
  %s1 = stablehlo.tanh %s0 : tensor<5x800xf32>
  %s2 = stablehlo.tanh %s1 : tensor<5x800xf32>
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<3x800xf32>) -> tensor<800x3xf32>
  %2 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<800x3xf32>) -> tensor<800x12xf32>
  %3 = stablehlo.dot_general %s2, %2, contracting_dims = [1] x [0] : (tensor<5x800xf32>, tensor<800x12xf32>) -> tensor<5x12xf32>
  %4 = stablehlo.dot_general %3, %0, contracting_dims = [1] x [0] : (tensor<5x12xf32>, tensor<12x800xf32>) -> tensor<5x800xf32>
  return %4, %3 : tensor<5x800xf32>, tensor<5x12xf32>
}

// CHECK-LABEL: func.func @read(
// CHECK-COUNT-2: "stablehlo.all_gather"
func.func @read(%w: tensor<3x800xf32>, %x: tensor<5x12xf32>) -> (tensor<5x800xf32>, tensor<5x12xf32>) {
  %0 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x800xf32>) -> tensor<12x800xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<5x12xf32>, tensor<12x800xf32>) -> tensor<5x800xf32>
  %s0 = stablehlo.tanh %1 : tensor<5x800xf32>
  %s1 = stablehlo.tanh %s0 : tensor<5x800xf32>
  %s2 = stablehlo.tanh %s1 : tensor<5x800xf32>
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<3x800xf32>) -> tensor<800x3xf32>
  %2 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<800x3xf32>) -> tensor<800x12xf32>
  %3 = stablehlo.dot_general %s2, %2, contracting_dims = [1] x [0] : (tensor<5x800xf32>, tensor<800x12xf32>) -> tensor<5x12xf32>
  return %s2, %3 : tensor<5x800xf32>, tensor<5x12xf32>
}
}

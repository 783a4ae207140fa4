// RUN: spmd-opt %s --spmd-optimize=bucket-bytes=0 | FileCheck %s

// What is gathered together with others is held, or made of what was, as if it were gathered alone.
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
// One gather gives a value and the same negated: the second is made of the first, behind it.
// CHECK-LABEL: func.func @beside(
// CHECK: %[[W:.+]] = "stablehlo.all_gather"(%arg0) {{.*}} : (tensor<3x80xf32>) -> tensor<12x80xf32>
// CHECK-NEXT: %[[MINUS:.+]] = stablehlo.negate %[[W]] : tensor<12x80xf32>
// CHECK-NEXT: return %[[W]], %[[MINUS]]
func.func @beside(%w: tensor<3x80xf32>) -> (tensor<12x80xf32>, tensor<12x80xf32>) {
  %n = stablehlo.negate %w : tensor<3x80xf32>
  %0:2 = "stablehlo.all_gather"(%w, %n) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x80xf32>, tensor<3x80xf32>) -> (tensor<12x80xf32>, tensor<12x80xf32>)
  return %0#0, %0#1 : tensor<12x80xf32>, tensor<12x80xf32>
}

// A weight that was gathered turned leaves the gather of two: the other goes on alone.
// CHECK-LABEL: func.func @one_of_two(
// CHECK: %[[W:.+]] = "stablehlo.all_gather"(%{{.+}}) {{.*}} -> tensor<80x12xf32>
// CHECK: %[[BETWEEN:.+]] = stablehlo.tanh
// CHECK: %[[U:.+]] = "stablehlo.all_gather"(%arg1) {{.*}} : (tensor<3x80xf32>) -> tensor<12x80xf32>
// CHECK-NEXT: %[[A:.+]] = stablehlo.dot_general %[[BETWEEN]], %[[W]], contracting_dims = [1] x [1]
// CHECK-NEXT: %[[B:.+]] = stablehlo.dot_general %[[BETWEEN]], %[[U]], contracting_dims = [1] x [0]
// CHECK-NEXT: return %[[A]], %[[B]]
func.func @one_of_two(%w: tensor<3x80xf32>, %u: tensor<3x80xf32>, %x: tensor<5x80xf32>) -> (tensor<5x80xf32>, tensor<5x80xf32>) {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<3x80xf32>) -> tensor<80x3xf32>
  %0 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<80x3xf32>) -> tensor<80x12xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<5x80xf32>, tensor<80x12xf32>) -> tensor<5x12xf32>
  %2 = stablehlo.tanh %1 : tensor<5x12xf32>
  %3:2 = "stablehlo.all_gather"(%w, %u) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x80xf32>, tensor<3x80xf32>) -> (tensor<12x80xf32>, tensor<12x80xf32>)
  %4 = stablehlo.dot_general %2, %3#0, contracting_dims = [1] x [0] : (tensor<5x12xf32>, tensor<12x80xf32>) -> tensor<5x80xf32>
  %5 = stablehlo.dot_general %2, %3#1, contracting_dims = [1] x [0] : (tensor<5x12xf32>, tensor<12x80xf32>) -> tensor<5x80xf32>
  return %4, %5 : tensor<5x80xf32>, tensor<5x80xf32>
}
}

// Pairs of replicas are no pairs of partitions: what one sends is not what the other does.
// RUN: spmd-opt %s --spmd-optimize=bucket-bytes=0 | FileCheck %s

module attributes {mhlo.num_partitions = 3 : i32, mhlo.num_replicas = 3 : i32} {
// CHECK: stablehlo.slice %arg0 [3:4, 0:6]
// CHECK: "stablehlo.collective_permute"
// CHECK: stablehlo.slice %arg0 [1:4, 0:6]
// CHECK: "stablehlo.collective_permute"
// CHECK: return
func.func @main(%x: tensor<4x6xf32>) -> (tensor<1x6xf32>, tensor<3x6xf32>) {
  %0 = stablehlo.slice %x [3:4, 0:6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
  %1 = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<1x6xf32>) -> tensor<1x6xf32>
  %2 = stablehlo.slice %x [1:4, 0:6] : (tensor<4x6xf32>) -> tensor<3x6xf32>
  %3 = "stablehlo.collective_permute"(%2) <{source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<3x6xf32>) -> tensor<3x6xf32>
  return %1, %3 : tensor<1x6xf32>, tensor<3x6xf32>
}
}

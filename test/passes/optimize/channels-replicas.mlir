// RUN: spmd-opt %s --spmd-optimize | FileCheck %s

// Without a channel, groups list replicas: with one they would list partitions, or devices. Others are numbered.
// CHECK-LABEL: func.func @main(
// CHECK: "stablehlo.all_gather"(%arg0) <{all_gather_dim = 0 : i64, replica_groups = dense<{{.*}}> : tensor<1x2xi64>}>
// CHECK: "stablehlo.all_gather"{{.*}}channel_handle<handle = 1, type = 1>, replica_groups = dense<{{.*}}> : tensor<1x4xi64>, use_global_device_ids
module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @main(%a: tensor<8xf32>) -> (tensor<16xf32>, tensor<64xf32>) {
    %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<16xf32>
    %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<16xf32>) -> tensor<64xf32>
    return %0, %1 : tensor<16xf32>, tensor<64xf32>
  }
}

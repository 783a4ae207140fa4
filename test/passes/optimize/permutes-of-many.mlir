// RUN: spmd-opt %s --spmd-optimize=groups=mesh-axes | FileCheck %s --implicit-check-not=xi1

// Who takes part in one of two permutes that are merged is told by arithmetic on the device's number, however many there are.
module attributes {mhlo.num_partitions = 8192 : i32, mhlo.num_replicas = 1 : i32} {
// A stretch along each of three axes.
// CHECK-LABEL: func.func @stretches(
// CHECK: %[[SENT:.*]] = stablehlo.select %{{.*}}, %arg1, %arg0
// CHECK: "stablehlo.collective_permute"(%[[SENT]])
// CHECK-NOT: collective_permute
// CHECK: %[[OWN:.*]] = stablehlo.partition_id
// CHECK: %[[PAST:.*]] = stablehlo.subtract %[[OWN]], %{{.*}} : tensor<ui32>
// CHECK: stablehlo.compare LT, %[[PAST]]
// CHECK: %[[MIDDLE:.*]] = stablehlo.remainder %[[PAST]]
// CHECK: stablehlo.compare LT, %[[MIDDLE]]
// CHECK: stablehlo.and
// CHECK: %[[INNER:.*]] = stablehlo.remainder %[[MIDDLE]]
// CHECK: stablehlo.compare LT, %[[INNER]]
// CHECK: stablehlo.and
// CHECK: return
func.func @stretches(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %1 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[69, 70], [70, 69], [85, 86], [86, 85], [133, 134], [134, 133], [149, 150], [150, 149]]> : tensor<8x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// Devices without a rule would take a table of all: they stay two.
// CHECK-LABEL: func.func @scattered(
// CHECK-COUNT-2: "stablehlo.collective_permute"
func.func @scattered(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %1 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[17, 18], [41, 3], [90, 7]]> : tensor<3x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}
}

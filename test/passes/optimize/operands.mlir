// RUN: spmd-opt %s --spmd-optimize | FileCheck %s
// RUN: spmd-opt %s --spmd-optimize=gathers=recompute | FileCheck %s --check-prefix=AGAIN

module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=2]>

// A slice that is said twice is gathered once; what another op reads stays.
// CHECK-LABEL: func.func @twice(
// CHECK: %[[S:.+]] = stablehlo.slice %arg0 [0:1, 0:4]
// CHECK-NEXT: %[[R:.+]] = stablehlo.reshape %[[S]]
// CHECK-NEXT: %[[N:.+]] = stablehlo.negate %[[R]]
// CHECK: %[[G:.+]] = "stablehlo.all_gather"
// CHECK-NEXT: return %[[G]], %[[G]], %[[N]]
// AGAIN-LABEL: func.func @twice(
// AGAIN-COUNT-2: stablehlo.slice
// AGAIN: return
func.func @twice(%a: tensor<2x4xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<4xf32>) {
  %0 = stablehlo.slice %a [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x4xf32>) -> tensor<4xf32>
  %2 = stablehlo.negate %1 : tensor<4xf32>
  %3 = stablehlo.slice %a [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %4 = stablehlo.reshape %3 : (tensor<1x4xf32>) -> tensor<4xf32>
  %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  %6 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  return %5, %6, %2 : tensor<8xf32>, tensor<8xf32>, tensor<4xf32>
}

// So is what is worked out twice of the same values; behind a barrier it is another value.
// CHECK-LABEL: func.func @computed(
// CHECK: %[[S:.+]] = stablehlo.add %arg0, %arg1
// CHECK-NEXT: %[[R:.+]] = stablehlo.reverse %[[S]]
// CHECK-NEXT: %[[B:.+]] = stablehlo.optimization_barrier %arg0
// CHECK-NEXT: %[[T:.+]] = stablehlo.add %[[B]], %arg1
// CHECK-NEXT: %[[Q:.+]] = stablehlo.reverse %[[T]]
// CHECK: %[[G:.+]]:2 = "stablehlo.all_gather"(%[[R]], %[[Q]])
// CHECK-NEXT: return %[[G]]#0, %[[G]]#0, %[[G]]#1
// AGAIN-LABEL: func.func @computed(
// AGAIN-COUNT-3: stablehlo.reverse
// AGAIN: return
func.func @computed(%a: tensor<4xf32>, %b: tensor<4xf32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.add %a, %b : tensor<4xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<4xf32>
  %2 = stablehlo.add %a, %b : tensor<4xf32>
  %3 = stablehlo.reverse %2, dims = [0] : tensor<4xf32>
  %4 = stablehlo.optimization_barrier %a : tensor<4xf32>
  %5 = stablehlo.add %4, %b : tensor<4xf32>
  %6 = stablehlo.reverse %5, dims = [0] : tensor<4xf32>
  %7 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  %8 = "stablehlo.all_gather"(%3) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  %9 = "stablehlo.all_gather"(%6) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4xf32>) -> tensor<8xf32>
  return %7, %8, %9 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
}

// What led only to the second is gone.
// CHECK-LABEL: func.func @gone(
// CHECK-COUNT-1: stablehlo.slice
// CHECK-NEXT: %[[G:.+]] = "stablehlo.all_gather"
// CHECK-NEXT: return %[[G]], %[[G]]
func.func @gone(%a: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = stablehlo.slice %a [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<1x4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.slice %a [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<1x4xf32>) -> tensor<2x4xf32>
  return %1, %3 : tensor<2x4xf32>, tensor<2x4xf32>
}

// Another slice is another value, and a barrier keeps what is behind it apart.
// CHECK-LABEL: func.func @apart(
// CHECK: return %{{.*}}#0, %{{.*}}#1, %{{.*}}#2
func.func @apart(%a: tensor<2x4xf32>) -> (tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>) {
  %0 = stablehlo.slice %a [0:1, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %1 = stablehlo.slice %a [1:2, 0:4] : (tensor<2x4xf32>) -> tensor<1x4xf32>
  %2 = stablehlo.optimization_barrier %0 : tensor<1x4xf32>
  %3 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<1x4xf32>) -> tensor<2x4xf32>
  %4 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<1x4xf32>) -> tensor<2x4xf32>
  %5 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<1x4xf32>) -> tensor<2x4xf32>
  return %3, %4, %5 : tensor<2x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}
}

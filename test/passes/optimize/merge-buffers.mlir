// RUN: spmd-opt %s --spmd-optimize | FileCheck %s
// Loads and stores of a buffer wait for each other, not for those of others: collectives between them meet.

module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
// CHECK-LABEL: func.func @apart(
// CHECK: %[[SUM:.+]]:2 = "stablehlo.all_reduce"(%{{.+}}, %{{.+}})
// CHECK-DAG: spmd.store %[[SUM]]#0, %arg0
// CHECK-DAG: spmd.store %[[SUM]]#1, %arg1
// CHECK-NOT: "stablehlo.all_reduce"
// CHECK: return
func.func @apart(%a: !spmd.buffer<tensor<4xf32>>, %b: !spmd.buffer<tensor<6xf32>>) {
  %0 = spmd.load %a : !spmd.buffer<tensor<4xf32>>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  spmd.store %1, %a : !spmd.buffer<tensor<4xf32>>
  %2 = spmd.load %b : !spmd.buffer<tensor<6xf32>>
  %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<6xf32>) -> tensor<6xf32>
  spmd.store %3, %b : !spmd.buffer<tensor<6xf32>>
  return
}

// Of one buffer the second load reads what the first store left: its sum waits for the first.
// CHECK-LABEL: func.func @one_buffer(
// CHECK: %[[FIRST:.+]] = "stablehlo.all_reduce"
// CHECK: spmd.store %[[FIRST]], %arg0
// CHECK: %[[LEFT:.+]] = spmd.load %arg0
// CHECK: %[[SECOND:.+]] = "stablehlo.all_reduce"(%[[LEFT]])
// CHECK: spmd.store %[[SECOND]], %arg0
func.func @one_buffer(%a: !spmd.buffer<tensor<4xf32>>) {
  %0 = spmd.load %a : !spmd.buffer<tensor<4xf32>>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  spmd.store %1, %a : !spmd.buffer<tensor<4xf32>>
  %2 = spmd.load %a : !spmd.buffer<tensor<4xf32>>
  %3 = "stablehlo.all_reduce"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  spmd.store %3, %a : !spmd.buffer<tensor<4xf32>>
  return
}
}

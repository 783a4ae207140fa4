// RUN: spmd-opt %s --spmd-optimize | FileCheck %s

// As many ops lead to one result as to the other, and they are as large: which collectives come first hangs
// on what the ops are, not on the order of arguments, ops and results.
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
// CHECK-LABEL: func.func @sine_first(
// CHECK-DAG: %[[SINE:.+]] = stablehlo.sine %arg0
// CHECK-DAG: %[[COSINE:.+]] = stablehlo.cosine %arg1
// CHECK: "stablehlo.all_reduce"(%[[SINE]], %[[COSINE]])
// CHECK: "stablehlo.all_reduce"
// CHECK: return
func.func @sine_first(%a: tensor<4xf32>, %b: tensor<4xf32>, %large: tensor<999xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<999xf32>) {
  %held = stablehlo.negate %large : tensor<999xf32>
  %a0 = stablehlo.sine %a : tensor<4xf32>
  %a1 = "stablehlo.all_reduce"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %a2 = stablehlo.sine %a1 : tensor<4xf32>
  %a3 = "stablehlo.all_reduce"(%a2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %b0 = stablehlo.cosine %b : tensor<4xf32>
  %b1 = "stablehlo.all_reduce"(%b0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %b2 = stablehlo.cosine %b1 : tensor<4xf32>
  %b3 = "stablehlo.all_reduce"(%b2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %a3, %b3, %held : tensor<4xf32>, tensor<4xf32>, tensor<999xf32>
}

// CHECK-LABEL: func.func @cosine_first(
// CHECK-DAG: %[[SINE:.+]] = stablehlo.sine %arg1
// CHECK-DAG: %[[COSINE:.+]] = stablehlo.cosine %arg0
// CHECK: "stablehlo.all_reduce"(%[[SINE]], %[[COSINE]])
// CHECK: "stablehlo.all_reduce"
// CHECK: return
func.func @cosine_first(%b: tensor<4xf32>, %a: tensor<4xf32>, %large: tensor<999xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<999xf32>) {
  %held = stablehlo.negate %large : tensor<999xf32>
  %b0 = stablehlo.cosine %b : tensor<4xf32>
  %b1 = "stablehlo.all_reduce"(%b0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %b2 = stablehlo.cosine %b1 : tensor<4xf32>
  %b3 = "stablehlo.all_reduce"(%b2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %a0 = stablehlo.sine %a : tensor<4xf32>
  %a1 = "stablehlo.all_reduce"(%a0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  %a2 = stablehlo.sine %a1 : tensor<4xf32>
  %a3 = "stablehlo.all_reduce"(%a2) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %s = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return %b3, %a3, %held : tensor<4xf32>, tensor<4xf32>, tensor<999xf32>
}
}

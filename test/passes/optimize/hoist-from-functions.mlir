// What a function moves that a loop alone calls, and that never changes, is moved before the loop and handed in.
// RUN: spmd-opt %s --spmd-optimize=bucket-bytes=0 | FileCheck %s
// RUN: spmd-opt %s --spmd-optimize="bucket-bytes=0 hoist=128" | FileCheck %s --check-prefix=LIMIT
// RUN: spmd-opt %s --spmd-optimize="bucket-bytes=0 hoist=0" | FileCheck %s --check-prefix=STAY
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-opt %s --spmd-optimize -o %t/optimized.mlir
// RUN: spmd-run %s --seed=5 --out %t/results
// RUN: spmd-run %t/optimized.mlir --seed=5 --expect %t/results --rtol=0 --atol=0 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=4]>

// Both weights: the second from two functions down, and from behind a barrier, which goes along.
// CHECK-LABEL: func.func @main(
// CHECK: %[[A:.+]] = "stablehlo.all_gather"(%arg1)
// CHECK: %[[BARRED:.+]] = stablehlo.optimization_barrier %arg2
// CHECK: %[[B:.+]] = "stablehlo.all_gather"(%[[BARRED]])
// CHECK: stablehlo.while
// CHECK: func.call @layer({{.+}}, %[[A]], %[[B]])
// No more than `hoist` allows, in program order.
// LIMIT-LABEL: func.func @main(
// LIMIT-COUNT-1: "stablehlo.all_gather"
// LIMIT-NOT: "stablehlo.all_gather"
// LIMIT: stablehlo.while
// STAY-LABEL: func.func @main(
// STAY-NOT: "stablehlo.all_gather"
// STAY: stablehlo.while
func.func @main(
    %x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x8xf32>},
    %a: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x4xf32>},
    %b: tensor<1x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<4x8xf32>}) -> (
    tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x8xf32>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<3> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %h = %x, %wa = %a, %wb = %b) : tensor<i32>, tensor<8x8xf32>, tensor<2x4xf32>, tensor<1x8xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = func.call @layer(%h, %wa, %wb) : (tensor<8x8xf32>, tensor<2x4xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
    %2 = func.call @twice(%1) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %3 = func.call @twice(%2) : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %3, %wa, %wb : tensor<i32>, tensor<8x8xf32>, tensor<2x4xf32>, tensor<1x8xf32>
  }
  return %0#1 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func private @layer(
// CHECK-SAME: %[[OUTER:[a-z0-9]+]]: tensor<8x4xf32>, %[[INNER:[a-z0-9]+]]: tensor<4x8xf32>)
// CHECK-NOT: all_gather
// CHECK: dot_general %{{.+}}, %[[OUTER]]
// CHECK: call @project({{.+}}, %[[INNER]])
// STAY-LABEL: func.func private @layer(
// STAY: "stablehlo.all_gather"
func.func private @layer(%h: tensor<8x8xf32>, %a: tensor<2x4xf32>, %b: tensor<1x8xf32>) -> tensor<8x8xf32> {
  %0 = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.dot_general %h, %0, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = call @project(%1, %b) : (tensor<8x4xf32>, tensor<1x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// CHECK-LABEL: func.func private @project(
// CHECK-NOT: all_gather
// CHECK: return
// STAY-LABEL: func.func private @project(
// STAY: "stablehlo.all_gather"
func.func private @project(%h: tensor<8x4xf32>, %b: tensor<1x8xf32>) -> tensor<8x8xf32> {
  %0:2 = stablehlo.optimization_barrier %b, %h : tensor<1x8xf32>, tensor<8x4xf32>
  %1 = "stablehlo.all_gather"(%0#0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x8xf32>) -> tensor<4x8xf32>
  %2 = stablehlo.dot_general %0#1, %1, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

// What changes, or is called from several places, is moved where it stands.
// CHECK-LABEL: func.func private @twice(
// CHECK: "stablehlo.all_reduce"
func.func private @twice(%h: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = "stablehlo.all_reduce"(%h) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.add %l, %r : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}
}

// With `once-only` each move is done once, and stays what it is.
// RUN: spmd-opt %s --spmd-optimize="once-only groups=mesh-axes" | FileCheck %s
// RUN: spmd-opt %s --spmd-optimize | FileCheck %s --check-prefix=ALL
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-opt %s --spmd-optimize=once-only -o %t/once.mlir
// RUN: spmd-run %s --seed=5 --out %t/results
// RUN: spmd-run %t/once.mlir --seed=5 --expect %t/results --rtol=0 --atol=0 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=2]>

// What does not change in the loop is gathered before it, for both who read it; what is narrower before the conversion is
// gathered wide, as it was planned.
// CHECK-LABEL: func.func public @main(
// CHECK: %[[WIDE:.+]] = stablehlo.convert %arg1
// CHECK: "stablehlo.all_gather"(%[[WIDE]]) <{{.*}}tensor<2x4xf32>) -> tensor<4x4xf32>
// CHECK: stablehlo.while
// CHECK-NOT: all_gather
// The sum behind the loop is not scattered yet, and the two permutes that no device takes part in twice are one.
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.dynamic_slice
// CHECK-COUNT-1: "stablehlo.collective_permute"
// CHECK-NOT: collective_permute
// ALL-LABEL: func.func public @main(
// ALL: "stablehlo.all_gather"{{.*}}bf16
// ALL: "stablehlo.reduce_scatter"
func.func public @main(
    %x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<4x4xf32>},
    %w: tensor<2x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<4x4xbf16>},
    %p: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<4x4xf32>}) -> (
    tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<4x4xf32>},
    tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<4x4xf32>},
    tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<4x4xf32>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %end = stablehlo.constant dense<3> : tensor<i32>
  %wide = stablehlo.convert %w : (tensor<2x4xbf16>) -> tensor<2x4xf32>
  %0:3 = stablehlo.while(%i = %zero, %h = %x, %v = %wide) : tensor<i32>, tensor<4x4xf32>, tensor<2x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = "stablehlo.all_gather"(%v) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %2 = "stablehlo.all_gather"(%v) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.multiply %h, %1 : tensor<4x4xf32>
    %4 = stablehlo.add %3, %2 : tensor<4x4xf32>
    %5 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %5, %4, %v : tensor<i32>, tensor<4x4xf32>, tensor<2x4xf32>
  }
  %6 = "stablehlo.all_reduce"(%p) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %20 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %20 : tensor<f32>
  }) : (tensor<4x4xf32>) -> tensor<4x4xf32>
  %7 = stablehlo.partition_id : tensor<ui32>
  %two = stablehlo.constant dense<2> : tensor<ui32>
  %8 = stablehlo.multiply %7, %two : tensor<ui32>
  %none = stablehlo.constant dense<0> : tensor<ui32>
  %9 = stablehlo.dynamic_slice %6, %8, %none, sizes = [2, 4] : (tensor<4x4xf32>, tensor<ui32>, tensor<ui32>) -> tensor<2x4xf32>
  %10 = "stablehlo.collective_permute"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  %11 = "stablehlo.collective_permute"(%9) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %0#1, %10, %11 : tensor<4x4xf32>, tensor<2x4xf32>, tensor<2x4xf32>
}
}

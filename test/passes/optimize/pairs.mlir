// RUN: spmd-opt %s --spmd-optimize=groups=mesh-axes | FileCheck %s
// What was written is run as it is, and once more as it comes out: the same numbers.
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-opt %s --spmd-optimize -o %t/optimized.mlir
// RUN: spmd-run %s --seed=3 --out %t/results
// RUN: spmd-run %t/optimized.mlir --seed=3 --expect %t/results | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=4]>

func.func @main(
    %a: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x8xf32>},
    %b: tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<32x3xf32>}) -> (
    tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x8xf32>},
    tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, spmd.global_type = tensor<8x8xf32>},
    tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<32x3xf32>},
    tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x8xf32>},
    tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x8xf32>},
    tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x8xf32>}) {
  %0:6 = call @all(%a, %b) : (tensor<2x8xf32>, tensor<8x3xf32>) -> (tensor<2x8xf32>, tensor<8x2xf32>, tensor<8x3xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>)
  return %0#0, %0#1, %0#2, %0#3, %0#4, %0#5 : tensor<2x8xf32>, tensor<8x2xf32>, tensor<8x3xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>
}

// CHECK-LABEL: func.func private @all(
func.func private @all(%a: tensor<2x8xf32>, %b: tensor<8x3xf32>) -> (tensor<2x8xf32>, tensor<8x2xf32>, tensor<8x3xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %id = stablehlo.partition_id : tensor<ui32>
  %place = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
  %at = stablehlo.multiply %place, %two : tensor<i32>

  // What is gathered, and then cut again as it was, is what it was.
  // CHECK-NOT: all_gather
  %gathered = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<8x8xf32>
  %same = stablehlo.dynamic_slice %gathered, %at, %zero, sizes = [2, 8] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<2x8xf32>

  // Cut along another dim: an exchange.
  // CHECK: %[[EXCHANGED:.+]] = "stablehlo.all_to_all"(%arg0) <{{.*}}concat_dimension = 0 : i64, {{.*}}split_count = 4 : i64, split_dimension = 1 : i64
  %again = "stablehlo.all_gather"(%a) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x8xf32>) -> tensor<8x8xf32>
  %columns = stablehlo.dynamic_slice %again, %zero, %at, sizes = [8, 2] : (tensor<8x8xf32>, tensor<i32>, tensor<i32>) -> tensor<8x2xf32>

  // A sum that is scattered and gathered again is a sum.
  // CHECK: %[[SUM:.+]] = "stablehlo.all_reduce"(%arg1)
  // CHECK-NOT: reduce_scatter
  %scattered = "stablehlo.reduce_scatter"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %s = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x3xf32>) -> tensor<2x3xf32>
  %sum = "stablehlo.all_gather"(%scattered) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3xf32>) -> tensor<8x3xf32>

  // Two steps of a ring are one; a step and the step back are none. Where a device gets nothing, it hands on nothing.
  // CHECK: %[[RING:.+]] = "stablehlo.collective_permute"(%arg0) <{{.*}}dense<{{\[\[}}0, 2], [1, 3], [2, 0], [3, 1]]>
  %step = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %ring = "stablehlo.collective_permute"(%step) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3], [3, 0]]> : tensor<4x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %there = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %back = "stablehlo.collective_permute"(%there) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: %[[SOME:.+]] = "stablehlo.collective_permute"(%arg0) <{{.*}}dense<{{\[\[}}0, 2]]>
  %few = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 9, type = 1>, source_target_pairs = dense<[[0, 1], [3, 0]]> : tensor<2x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %some = "stablehlo.collective_permute"(%few) <{channel_handle = #stablehlo.channel_handle<handle = 10, type = 1>, source_target_pairs = dense<[[1, 2], [2, 3]]> : tensor<2x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK: return %arg0, %[[EXCHANGED]], %[[SUM]], %[[RING]], %arg0, %[[SOME]]
  return %same, %columns, %sum, %ring, %back, %some : tensor<2x8xf32>, tensor<8x2xf32>, tensor<8x3xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<2x8xf32>
}
}

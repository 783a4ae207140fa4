// RUN: spmd-opt %s --spmd-optimize=bucket-bytes=0 | FileCheck %s
// RUN: spmd-opt %s --spmd-optimize=gathers=recompute | FileCheck %s --check-prefix=RECOMPUTE
// What was written is run as it is, and once more as it comes out: the same numbers.
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-opt %s --spmd-optimize -o %t/optimized.mlir
// RUN: spmd-run %s --seed=5 --out %t/results
// RUN: spmd-run %t/optimized.mlir --seed=5 --expect %t/results --rtol=0 --atol=0 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=4]>

func.func @main(
    %w: tensor<2x3x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>, spmd.global_type = tensor<8x3x24xf32>},
    %v: tensor<19x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, spmd.global_type = tensor<19x16xf32>},
    %u: tensor<11x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, spmd.global_type = tensor<11x24xf32>},
    %t: tensor<2x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x3xf32>}) -> (
    tensor<8x3x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<8x3x24xf32>},
    tensor<8x3x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<8x3x24xf32>},
    tensor<24x8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<24x8x3xf32>},
    tensor<8x3x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<8x3x24xf32>},
    tensor<3x8x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<3x8x24xf32>},
    tensor<8x72xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x72xf32>},
    tensor<11x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<11x24xf32>},
    tensor<11x8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<11x8x3xf32>},
    tensor<11x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<11x24xf32>},
    tensor<11x24x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<11x24x1xf32>},
    tensor<8x3x24xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<8x3x24xbf16>},
    tensor<8x3x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<8x3x24xf32>},
    tensor<3x8x24xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<3x8x24xbf16>},
    tensor<8x3x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<8x3x24xf32>},
    tensor<8x3x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<8x3x24xf32>},
    tensor<2x6x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}, {}]>, spmd.global_type = tensor<4x6x24xf32>},
    tensor<19x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<19x16xf32>},
    tensor<19x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<19x2x8xf32>},
    tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x3xf32>},
    tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x3xf32>}) {
  %0:2 = call @reversed(%w) : (tensor<2x3x24xf32>) -> (tensor<8x3x24xf32>, tensor<8x3x24xf32>)
  %1:2 = call @transposed(%w) : (tensor<2x3x24xf32>) -> (tensor<24x8x3xf32>, tensor<8x3x24xf32>)
  %2:2 = call @both(%w) : (tensor<2x3x24xf32>) -> (tensor<3x8x24xf32>, tensor<8x72xf32>)
  %3:2 = call @split(%u) : (tensor<11x6xf32>) -> (tensor<11x24xf32>, tensor<11x8x3xf32>)
  %4:2 = call @pairwise(%u) : (tensor<11x6xf32>) -> (tensor<11x24xf32>, tensor<11x24x1xf32>)
  %5:3 = call @rounded(%w) : (tensor<2x3x24xf32>) -> (tensor<8x3x24xbf16>, tensor<8x3x24xf32>, tensor<3x8x24xbf16>)
  %6:7 = call @others(%w, %v, %t) : (tensor<2x3x24xf32>, tensor<19x4xf32>, tensor<2x3xf32>) -> (tensor<8x3x24xf32>, tensor<8x3x24xf32>, tensor<2x6x24xf32>, tensor<19x16xf32>, tensor<19x2x8xf32>, tensor<8x3xf32>, tensor<8x3xf32>)
  return %0#0, %0#1, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1, %4#0, %4#1, %5#0, %5#1, %5#2, %6#0, %6#1, %6#2, %6#3, %6#4, %6#5, %6#6 : tensor<8x3x24xf32>, tensor<8x3x24xf32>, tensor<24x8x3xf32>, tensor<8x3x24xf32>, tensor<3x8x24xf32>, tensor<8x72xf32>, tensor<11x24xf32>, tensor<11x8x3xf32>, tensor<11x24xf32>, tensor<11x24x1xf32>, tensor<8x3x24xbf16>, tensor<8x3x24xf32>, tensor<3x8x24xbf16>, tensor<8x3x24xf32>, tensor<8x3x24xf32>, tensor<2x6x24xf32>, tensor<19x16xf32>, tensor<19x2x8xf32>, tensor<8x3xf32>, tensor<8x3xf32>
}

// A kernel is gathered for a convolution, and reversed for its gradient.
// CHECK-LABEL: func.func private @reversed(
// CHECK: %[[ALL:.+]] = "stablehlo.all_gather"(%arg0)
// CHECK-NOT: stablehlo.reverse %arg0
// CHECK: %[[REVERSED:.+]] = stablehlo.reverse %[[ALL]], dims = [1, 2] : tensor<8x3x24xf32>
// CHECK-NEXT: return %[[ALL]], %[[REVERSED]]
// RECOMPUTE-LABEL: func.func private @reversed(
// RECOMPUTE-COUNT-2: "stablehlo.all_gather"
func.func private @reversed(%w: tensor<2x3x24xf32>) -> (tensor<8x3x24xf32>, tensor<8x3x24xf32>) {
  %0 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3x24xf32>) -> tensor<8x3x24xf32>
  %1 = stablehlo.reverse %w, dims = [1, 2] : tensor<2x3x24xf32>
  %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3x24xf32>) -> tensor<8x3x24xf32>
  return %0, %2 : tensor<8x3x24xf32>, tensor<8x3x24xf32>
}

// What is gathered first may be the transpose: the other one is its transpose then.
// CHECK-LABEL: func.func private @transposed(
// CHECK: %[[TURNED:.+]] = stablehlo.transpose %arg0, dims = [2, 0, 1]
// CHECK: %[[ALL:.+]] = "stablehlo.all_gather"(%[[TURNED]]) <{all_gather_dim = 1
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: %[[BACK:.+]] = stablehlo.transpose %[[ALL]], dims = [1, 2, 0] : (tensor<24x8x3xf32>) -> tensor<8x3x24xf32>
// CHECK-NEXT: return %[[ALL]], %[[BACK]]
func.func private @transposed(%w: tensor<2x3x24xf32>) -> (tensor<24x8x3xf32>, tensor<8x3x24xf32>) {
  %0 = stablehlo.transpose %w, dims = [2, 0, 1] : (tensor<2x3x24xf32>) -> tensor<24x2x3xf32>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<24x2x3xf32>) -> tensor<24x8x3xf32>
  %2 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3x24xf32>) -> tensor<8x3x24xf32>
  return %1, %2 : tensor<24x8x3xf32>, tensor<8x3x24xf32>
}

// Both lie in an order of their own, made of what is computed twice.
// CHECK-LABEL: func.func private @both(
// CHECK: "stablehlo.all_gather"
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: stablehlo.transpose %{{.+}}, dims = [1, 0, 2] : (tensor<3x8x24xf32>) -> tensor<8x3x24xf32>
// CHECK: stablehlo.reverse %{{.+}}, dims = [1] : tensor<8x3x24xf32>
// CHECK: stablehlo.reshape %{{.+}} : (tensor<8x3x24xf32>) -> tensor<8x72xf32>
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: return
func.func private @both(%w: tensor<2x3x24xf32>) -> (tensor<3x8x24xf32>, tensor<8x72xf32>) {
  %0 = stablehlo.negate %w : tensor<2x3x24xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0, 2] : (tensor<2x3x24xf32>) -> tensor<3x2x24xf32>
  %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x2x24xf32>) -> tensor<3x8x24xf32>
  %3 = stablehlo.negate %w : tensor<2x3x24xf32>
  %4 = stablehlo.reverse %3, dims = [1] : tensor<2x3x24xf32>
  %5 = stablehlo.reshape %4 : (tensor<2x3x24xf32>) -> tensor<2x72xf32>
  %6 = "stablehlo.all_gather"(%5) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x72xf32>) -> tensor<8x72xf32>
  return %2, %6 : tensor<3x8x24xf32>, tensor<8x72xf32>
}

// A dim that is written as two is gathered along the major one.
// CHECK-LABEL: func.func private @split(
// CHECK: %[[ALL:.+]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: stablehlo.reshape %[[ALL]] : (tensor<11x24xf32>) -> tensor<11x8x3xf32>
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: return
func.func private @split(%w: tensor<11x6xf32>) -> (tensor<11x24xf32>, tensor<11x8x3xf32>) {
  %0 = "stablehlo.all_gather"(%w) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<11x6xf32>) -> tensor<11x24xf32>
  %1 = stablehlo.reshape %w : (tensor<11x6xf32>) -> tensor<11x2x3xf32>
  %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<11x2x3xf32>) -> tensor<11x8x3xf32>
  return %0, %2 : tensor<11x24xf32>, tensor<11x8x3xf32>
}

// What is compared pairwise is a row and a column, here of what is negated.
// CHECK-LABEL: func.func private @pairwise(
// CHECK: %[[ALL:.+]] = "stablehlo.all_gather"(%arg0) <{all_gather_dim = 1
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: %[[COLUMN:.+]] = stablehlo.reshape %[[ALL]] : (tensor<11x24xf32>) -> tensor<11x24x1xf32>
// CHECK: %[[NEGATED:.+]] = stablehlo.negate %[[COLUMN]] : tensor<11x24x1xf32>
// CHECK-NEXT: return %[[ALL]], %[[NEGATED]]
func.func private @pairwise(%w: tensor<11x6xf32>) -> (tensor<11x24xf32>, tensor<11x24x1xf32>) {
  %0 = "stablehlo.all_gather"(%w) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<11x6xf32>) -> tensor<11x24xf32>
  %1 = stablehlo.broadcast_in_dim %w, dims = [0, 1] : (tensor<11x6xf32>) -> tensor<11x6x1xf32>
  %2 = stablehlo.negate %1 : tensor<11x6x1xf32>
  %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<11x6x1xf32>) -> tensor<11x24x1xf32>
  return %0, %3 : tensor<11x24xf32>, tensor<11x24x1xf32>
}

// What is rounded is made of what is not, and not the other way round.
// CHECK-LABEL: func.func private @rounded(
// CHECK: %[[SHORT:.+]] = "stablehlo.all_gather"(%{{.+}}) <{all_gather_dim = 0 {{.*}} (tensor<2x3x24xbf16>)
// CHECK: %[[ALL:.+]] = "stablehlo.all_gather"(%arg0)
// CHECK: %[[TURNED:.+]] = stablehlo.transpose %[[ALL]], dims = [1, 0, 2] : (tensor<8x3x24xf32>) -> tensor<3x8x24xf32>
// CHECK: %[[ROUNDED:.+]] = stablehlo.convert %[[TURNED]] : (tensor<3x8x24xf32>) -> tensor<3x8x24xbf16>
// CHECK-NEXT: return %[[SHORT]], %[[ALL]], %[[ROUNDED]]
func.func private @rounded(%w: tensor<2x3x24xf32>) -> (tensor<8x3x24xbf16>, tensor<8x3x24xf32>, tensor<3x8x24xbf16>) {
  %0 = stablehlo.convert %w : (tensor<2x3x24xf32>) -> tensor<2x3x24xbf16>
  %1 = "stablehlo.all_gather"(%0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3x24xbf16>) -> tensor<8x3x24xbf16>
  %2 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3x24xf32>) -> tensor<8x3x24xf32>
  %3 = stablehlo.transpose %w, dims = [1, 0, 2] : (tensor<2x3x24xf32>) -> tensor<3x2x24xf32>
  %4 = stablehlo.convert %3 : (tensor<3x2x24xf32>) -> tensor<3x2x24xbf16>
  %5 = "stablehlo.all_gather"(%4) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x2x24xbf16>) -> tensor<3x8x24xbf16>
  return %1, %2, %5 : tensor<8x3x24xbf16>, tensor<8x3x24xf32>, tensor<3x8x24xbf16>
}

// Rows that are reversed within each shard are not those of the reversed whole; the minor part of a dim, another
// dim and other groups give other values. What is small is gathered as it is read.
// CHECK-LABEL: func.func private @others(
// CHECK-COUNT-7: "stablehlo.all_gather"
// CHECK: return
func.func private @others(%w: tensor<2x3x24xf32>, %v: tensor<19x4xf32>, %t: tensor<2x3xf32>) -> (tensor<8x3x24xf32>, tensor<8x3x24xf32>, tensor<2x6x24xf32>, tensor<19x16xf32>, tensor<19x2x8xf32>, tensor<8x3xf32>, tensor<8x3xf32>) {
  %0 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3x24xf32>) -> tensor<8x3x24xf32>
  %1 = stablehlo.reverse %w, dims = [0] : tensor<2x3x24xf32>
  %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3x24xf32>) -> tensor<8x3x24xf32>
  %3 = stablehlo.reverse %w, dims = [2] : tensor<2x3x24xf32>
  %4 = "stablehlo.all_gather"(%3) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<2x3x24xf32>) -> tensor<2x6x24xf32>
  %5 = "stablehlo.all_gather"(%v) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<19x4xf32>) -> tensor<19x16xf32>
  %6 = stablehlo.reshape %v : (tensor<19x4xf32>) -> tensor<19x2x2xf32>
  %7 = "stablehlo.all_gather"(%6) <{all_gather_dim = 2 : i64, channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<19x2x2xf32>) -> tensor<19x2x8xf32>
  %8 = "stablehlo.all_gather"(%t) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3xf32>) -> tensor<8x3xf32>
  %9 = stablehlo.reverse %t, dims = [1] : tensor<2x3xf32>
  %10 = "stablehlo.all_gather"(%9) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x3xf32>) -> tensor<8x3xf32>
  return %0, %2, %4, %5, %7, %8, %10 : tensor<8x3x24xf32>, tensor<8x3x24xf32>, tensor<2x6x24xf32>, tensor<19x16xf32>, tensor<19x2x8xf32>, tensor<8x3xf32>, tensor<8x3xf32>
}

}

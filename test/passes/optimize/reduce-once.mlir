// RUN: spmd-opt %s --spmd-optimize | FileCheck %s
// What was written is run as it is, and once more as it comes out: the same numbers.
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-opt %s --spmd-optimize -o %t/optimized.mlir
// RUN: spmd-run %s --seed=3 --out %t/results
// RUN: spmd-run %t/optimized.mlir --seed=3 --expect %t/results | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

module attributes {mhlo.num_partitions = 6 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=3, "y"=2]>

func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, spmd.global_type = tensor<12x12xf32>}) -> (
    tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, spmd.global_type = tensor<12x12xf32>},
    tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, spmd.global_type = tensor<12x12xf32>},
    tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, spmd.global_type = tensor<12x12xf32>},
    tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, spmd.global_type = tensor<12x12xf32>},
    tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, spmd.global_type = tensor<12x12xf32>},
    tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, spmd.global_type = tensor<12x12xf32>},
    tensor<4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>, spmd.global_type = tensor<8x6xf32>},
    tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, spmd.global_type = tensor<12x6xf32>}) {
  %0 = call @sums(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = call @maxima(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = call @twice(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %3 = call @mixed(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %4 = call @crossed(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = call @used(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %6 = call @scattered(%a) : (tensor<4x6xf32>) -> tensor<4x2xf32>
  %7 = call @scattered_within(%a) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x2xf32>, tensor<4x3xf32>
}

// Of sums over one axis and then the other, one over both.
// CHECK-LABEL: func.func private @sums(
func.func private @sums(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK: "stablehlo.all_reduce"(%arg0) <{{.*}}replica_groups = dense<{{\[\[0, 1, 2, 3, 4, 5\]\]}}>
  // CHECK-NOT: all_reduce
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4], [1, 3, 5]]> : tensor<2x3xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: return
  return %1 : tensor<4x6xf32>
}

// What is the largest of some devices is so once more.
// CHECK-LABEL: func.func private @maxima(
func.func private @maxima(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK: "stablehlo.all_reduce"(%arg0) <{{.*}}replica_groups = dense<{{\[\[0, 1\], \[2, 3\], \[4, 5\]\]}}>
  // CHECK-NOT: all_reduce
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: return
  return %1 : tensor<4x6xf32>
}

// A sum of the same devices is not the same taken twice.
// CHECK-LABEL: func.func private @twice(
func.func private @twice(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK-COUNT-2: all_reduce
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: return
  return %1 : tensor<4x6xf32>
}

// The largest of sums is no sum.
// CHECK-LABEL: func.func private @mixed(
func.func private @mixed(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK-COUNT-2: all_reduce
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, replica_groups = dense<[[0, 2, 4], [1, 3, 5]]> : tensor<2x3xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.maximum %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: return
  return %1 : tensor<4x6xf32>
}

// Devices 0 and 1 would have of 0, 1, 2 and 4, but 2 and 3 of 0, 2, 3 and 5.
// CHECK-LABEL: func.func private @crossed(
func.func private @crossed(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK-COUNT-2: all_reduce
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 9, type = 1>, replica_groups = dense<[[0, 2], [1, 4], [3, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 10, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // CHECK: return
  return %1 : tensor<4x6xf32>
}

// The first is wanted, too.
// CHECK-LABEL: func.func private @used(
func.func private @used(%a: tensor<4x6xf32>) -> tensor<4x6xf32> {
  // CHECK-COUNT-2: all_reduce
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 11, type = 1>, replica_groups = dense<[[0, 2, 4], [1, 3, 5]]> : tensor<2x3xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.all_reduce"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 12, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %2 = stablehlo.add %0, %1 : tensor<4x6xf32>
  // CHECK: return
  return %2 : tensor<4x6xf32>
}

// A piece is summed instead of all that is cut.
// CHECK-LABEL: func.func private @scattered(
func.func private @scattered(%a: tensor<4x6xf32>) -> tensor<4x2xf32> {
  // CHECK: %[[PIECE:.+]] = "stablehlo.reduce_scatter"(%arg0)
  // CHECK: "stablehlo.all_reduce"(%[[PIECE]]) <{{.*}}replica_groups = dense<{{\[\[0, 1\], \[2, 3\], \[4, 5\]\]}}>
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 13, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 14, type = 1>, replica_groups = dense<[[0, 2, 4], [1, 3, 5]]> : tensor<2x3xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x2xf32>
  // CHECK: return
  return %1 : tensor<4x2xf32>
}

// Devices that sum up would have other pieces.
// CHECK-LABEL: func.func private @scattered_within(
func.func private @scattered_within(%a: tensor<4x6xf32>) -> tensor<4x3xf32> {
  // CHECK: all_reduce
  // CHECK: reduce_scatter
  %0 = "stablehlo.all_reduce"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 15, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %1 = "stablehlo.reduce_scatter"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 16, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5]]> : tensor<3x2xi64>, scatter_dimension = 1 : i64, use_global_device_ids}> ({
  ^bb0(%p: tensor<f32>, %q: tensor<f32>):
    %r = stablehlo.add %p, %q : tensor<f32>
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  // CHECK: return
  return %1 : tensor<4x3xf32>
}
}

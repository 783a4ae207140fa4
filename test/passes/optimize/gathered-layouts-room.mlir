// RUN: spmd-opt %s --spmd-optimize=bucket-bytes=0 | FileCheck %s
// RUN: spmd-opt %s --spmd-optimize="bucket-bytes=0 gathers=recompute" | FileCheck %s --check-prefix=AGAIN

// A weight that is read again soon is held until then, where other moments hold as much; products read it as it lies.
// AGAIN-COUNT-18: "stablehlo.all_gather"
module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
// CHECK-LABEL: func.func @room(
// CHECK: %[[ALL:.+]] = "stablehlo.all_gather"(%{{.+}}) {{.*}} -> tensor<800x12xf32>
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: %[[BETWEEN:.+]] = stablehlo.tanh
// CHECK-NEXT: stablehlo.dot_general %[[BETWEEN]], %[[ALL]], contracting_dims = [1] x [1] : (tensor<5x12xf32>, tensor<800x12xf32>) -> tensor<5x800xf32>
func.func @room(%w: tensor<3x800xf32>, %x: tensor<5x800xf32>) -> tensor<5x800xf32> {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<3x800xf32>) -> tensor<800x3xf32>
  %0 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<800x3xf32>) -> tensor<800x12xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<5x800xf32>, tensor<800x12xf32>) -> tensor<5x12xf32>
  %2 = stablehlo.tanh %1 : tensor<5x12xf32>
  %3 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x800xf32>) -> tensor<12x800xf32>
  %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0] : (tensor<5x12xf32>, tensor<12x800xf32>) -> tensor<5x800xf32>
  return %4 : tensor<5x800xf32>
}

// At most 4 KiB is held though more is held at the worst moment then.
// CHECK-LABEL: func.func @small(
// CHECK: "stablehlo.all_gather"
// CHECK-NOT: "stablehlo.all_gather"
func.func @small(%w: tensor<3x80xf32>, %x: tensor<5x80xf32>, %u: tensor<12x110xf32>, %v: tensor<110x12xf32>) -> tensor<5x80xf32> {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<3x80xf32>) -> tensor<80x3xf32>
  %0 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<80x3xf32>) -> tensor<80x12xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<5x80xf32>, tensor<80x12xf32>) -> tensor<5x12xf32>
  %wide = stablehlo.dot_general %1, %u, contracting_dims = [1] x [0] : (tensor<5x12xf32>, tensor<12x110xf32>) -> tensor<5x110xf32>
  %2 = stablehlo.dot_general %wide, %v, contracting_dims = [1] x [0] : (tensor<5x110xf32>, tensor<110x12xf32>) -> tensor<5x12xf32>
  %3 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x80xf32>) -> tensor<12x80xf32>
  %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0] : (tensor<5x12xf32>, tensor<12x80xf32>) -> tensor<5x80xf32>
  return %4 : tensor<5x80xf32>
}

// The result would have its dims in another order: the product reads a copy, and there is no room for both.
// CHECK-LABEL: func.func @copied(
// CHECK-COUNT-2: "stablehlo.all_gather"
func.func @copied(%w: tensor<3x8x100xf32>, %x: tensor<5x800xf32>) -> tensor<2x100x12xf32> {
  %t = stablehlo.transpose %w, dims = [1, 2, 0] : (tensor<3x8x100xf32>) -> tensor<8x100x3xf32>
  %0 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x8x100xf32>) -> tensor<12x8x100xf32>
  %r = stablehlo.reshape %0 : (tensor<12x8x100xf32>) -> tensor<12x800xf32>
  %1 = stablehlo.dot_general %x, %r, contracting_dims = [1] x [1] : (tensor<5x800xf32>, tensor<12x800xf32>) -> tensor<5x12xf32>
  %2 = stablehlo.slice %1 [0:2, 0:8] : (tensor<5x12xf32>) -> tensor<2x8xf32>
  %3 = "stablehlo.all_gather"(%t) <{all_gather_dim = 2 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<8x100x3xf32>) -> tensor<8x100x12xf32>
  %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0] : (tensor<2x8xf32>, tensor<8x100x12xf32>) -> tensor<2x100x12xf32>
  return %4 : tensor<2x100x12xf32>
}

// What a loop holds is not known here.
// CHECK-LABEL: func.func @loop(
// CHECK-COUNT-2: "stablehlo.all_gather"
func.func @loop(%w: tensor<3x800xf32>, %x: tensor<5x800xf32>) -> tensor<5x800xf32> {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<3x800xf32>) -> tensor<800x3xf32>
  %0 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<800x3xf32>) -> tensor<800x12xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<5x800xf32>, tensor<800x12xf32>) -> tensor<5x12xf32>
  %c = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %n, %2 = stablehlo.while(%i = %zero, %v = %1) : tensor<i32>, tensor<5x12xf32>
    cond {
      %less = stablehlo.compare LT, %i, %c : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %turned = stablehlo.tanh %v : tensor<5x12xf32>
      stablehlo.return %next, %turned : tensor<i32>, tensor<5x12xf32>
    }
  %3 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x800xf32>) -> tensor<12x800xf32>
  %4 = stablehlo.dot_general %2, %3, contracting_dims = [1] x [0] : (tensor<5x12xf32>, tensor<12x800xf32>) -> tensor<5x800xf32>
  return %4 : tensor<5x800xf32>
}

// Two weights of which one can be held at a time: the one that is read again first.
// CHECK-LABEL: func.func @nearest(
// CHECK: "stablehlo.all_gather"(%{{.+}}) {{.*}} : (tensor<800x3xf32>)
// CHECK: "stablehlo.all_gather"(%{{.+}}) {{.*}} : (tensor<12x200xf32>)
// CHECK: "stablehlo.all_gather"(%{{.+}}) {{.*}} : (tensor<3x800xf32>)
// CHECK-NOT: "stablehlo.all_gather"
func.func @nearest(%w: tensor<3x800xf32>, %u: tensor<200x12xf32>, %x: tensor<5x800xf32>) -> tensor<5x800xf32> {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<3x800xf32>) -> tensor<800x3xf32>
  %0 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<800x3xf32>) -> tensor<800x12xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<5x800xf32>, tensor<800x12xf32>) -> tensor<5x12xf32>
  %v = stablehlo.transpose %u, dims = [1, 0] : (tensor<200x12xf32>) -> tensor<12x200xf32>
  %2 = "stablehlo.all_gather"(%v) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<12x200xf32>) -> tensor<12x800xf32>
  %3 = stablehlo.dot_general %1, %2, contracting_dims = [1] x [0] : (tensor<5x12xf32>, tensor<12x800xf32>) -> tensor<5x800xf32>
  %4 = "stablehlo.all_gather"(%u) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<200x12xf32>) -> tensor<800x12xf32>
  %5 = stablehlo.dot_general %3, %4, contracting_dims = [1] x [0] : (tensor<5x800xf32>, tensor<800x12xf32>) -> tensor<5x12xf32>
  %6 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x800xf32>) -> tensor<12x800xf32>
  %7 = stablehlo.dot_general %5, %6, contracting_dims = [1] x [0] : (tensor<5x12xf32>, tensor<12x800xf32>) -> tensor<5x800xf32>
  return %7 : tensor<5x800xf32>
}

// What is no product reads a copy, too: both are held at the very moment that the second would be gathered.
// CHECK-LABEL: func.func @copied_for_a_sum(
// CHECK-COUNT-2: "stablehlo.all_gather"
func.func @copied_for_a_sum(%w: tensor<3x800xf32>, %x: tensor<2x800xf32>) -> tensor<800xf32> {
  %t = stablehlo.transpose %w, dims = [1, 0] : (tensor<3x800xf32>) -> tensor<800x3xf32>
  %0 = "stablehlo.all_gather"(%t) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<800x3xf32>) -> tensor<800x12xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<2x800xf32>, tensor<800x12xf32>) -> tensor<2x12xf32>
  %2 = stablehlo.slice %1 [0:1, 0:1] : (tensor<2x12xf32>) -> tensor<1x1xf32>
  %start = stablehlo.reshape %2 : (tensor<1x1xf32>) -> tensor<f32>
  %3 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x800xf32>) -> tensor<12x800xf32>
  %4 = stablehlo.reduce(%3 init: %start) applies stablehlo.add across dimensions = [0] : (tensor<12x800xf32>, tensor<f32>) -> tensor<800xf32>
  return %4 : tensor<800xf32>
}

// The layout of the weight is made of the same collective and comes right behind it. The room at an op that was made meanwhile is not
// known: the last operand is gathered again.
// CHECK-LABEL: func.func @made_meanwhile(
// CHECK-COUNT-2: stablehlo.tanh
// CHECK: %[[BOTH:.+]]:2 = "stablehlo.all_gather"(%arg2, %arg1)
// CHECK: stablehlo.cosine %[[BOTH]]#1
func.func @made_meanwhile(%u: tensor<3x8x100xf32>, %v: tensor<3x8x100xf32>, %w: tensor<3x8x100xf32>, %x: tensor<12x8x100xf32>) -> (tensor<12x8x100xf32>, tensor<12x8x100xf32>, tensor<12x8x100xf32>, tensor<12x8x100xf32>, tensor<12x100x8xf32>, tensor<12x8x100xf32>) {
  %0 = "stablehlo.all_gather"(%u) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x8x100xf32>) -> tensor<12x8x100xf32>
  %1 = stablehlo.tanh %0 : tensor<12x8x100xf32>
  %2 = "stablehlo.all_gather"(%v) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x8x100xf32>) -> tensor<12x8x100xf32>
  %3 = stablehlo.tanh %2 : tensor<12x8x100xf32>
  %4 = "stablehlo.all_gather"(%u) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x8x100xf32>) -> tensor<12x8x100xf32>
  %5 = stablehlo.sine %4 : tensor<12x8x100xf32>
  %t = stablehlo.transpose %w, dims = [0, 2, 1] : (tensor<3x8x100xf32>) -> tensor<3x100x8xf32>
  %6:3 = "stablehlo.all_gather"(%w, %t, %v) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<3x8x100xf32>, tensor<3x100x8xf32>, tensor<3x8x100xf32>) -> (tensor<12x8x100xf32>, tensor<12x100x8xf32>, tensor<12x8x100xf32>)
  %7 = stablehlo.add %6#0, %x : tensor<12x8x100xf32>
  %8 = stablehlo.negate %6#1 : tensor<12x100x8xf32>
  %9 = stablehlo.cosine %6#2 : tensor<12x8x100xf32>
  return %1, %3, %5, %7, %8, %9 : tensor<12x8x100xf32>, tensor<12x8x100xf32>, tensor<12x8x100xf32>, tensor<12x8x100xf32>, tensor<12x100x8xf32>, tensor<12x8x100xf32>
}
}

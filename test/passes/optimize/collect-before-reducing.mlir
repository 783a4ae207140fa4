// RUN: spmd-opt %s --spmd-optimize=bucket-bytes=0 --split-input-file | FileCheck %s

// What is reduced alike and added to the same sum is added first, whatever stands between.
// CHECK-LABEL: func.func @chain
// CHECK: %[[WITH:.*]] = stablehlo.add %arg0, %arg3
// CHECK: %[[P:.*]] = stablehlo.add %arg1, %arg2
// CHECK: %[[Q:.*]] = stablehlo.add %[[P]], %arg4
// CHECK: %[[ALL:.*]] = "stablehlo.all_reduce"(%[[Q]])
// CHECK-NOT: all_reduce
// CHECK: stablehlo.add %[[ALL]], %[[WITH]]
func.func @chain(%x: tensor<4xf32>, %p: tensor<4xf32>, %q: tensor<4xf32>, %y: tensor<4xf32>, %r: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%p) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %x, %0 : tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%q) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.add %2, %1 : tensor<4xf32>
  %4 = stablehlo.add %3, %y : tensor<4xf32>
  %5 = "stablehlo.all_reduce"(%r) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.add %5, %4 : tensor<4xf32>
  return %6 : tensor<4xf32>
}

// -----

// A maximum of maxima that are scattered, too. What is reduced over other groups stays, and what is reduced otherwise than
// it is collected.
// CHECK-LABEL: func.func @others
// CHECK: "stablehlo.reduce_scatter"(%arg1)
// CHECK: %[[M:.*]] = stablehlo.maximum %arg1, %arg2 : tensor<8xf32>
// CHECK: %[[S:.*]] = "stablehlo.reduce_scatter"(%[[M]])
// CHECK: stablehlo.maximum %{{.*}}, %[[S]] : tensor<4xf32>
// CHECK: "stablehlo.reduce_scatter"(%arg3)
// CHECK: return
func.func @others(%x: tensor<4xf32>, %p: tensor<8xf32>, %q: tensor<8xf32>, %r: tensor<8xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.reduce_scatter"(%p) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<8xf32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %x, %0 : tensor<4xf32>
  %2 = "stablehlo.reduce_scatter"(%p) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids} : (tensor<8xf32>) -> tensor<4xf32>
  %3 = stablehlo.maximum %1, %2 : tensor<4xf32>
  %4 = "stablehlo.reduce_scatter"(%q) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids} : (tensor<8xf32>) -> tensor<4xf32>
  %5 = stablehlo.maximum %3, %4 : tensor<4xf32>
  %6 = "stablehlo.reduce_scatter"(%r) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, use_global_device_ids} : (tensor<8xf32>) -> tensor<4xf32>
  %7 = stablehlo.maximum %5, %6 : tensor<4xf32>
  return %7 : tensor<4xf32>
}

// -----

// A sum in between that somebody else reads is needed as it is.
// CHECK-LABEL: func.func @read_in_between
// CHECK: "stablehlo.all_reduce"(%arg1)
// CHECK: "stablehlo.all_reduce"(%arg2)
func.func @read_in_between(%x: tensor<4xf32>, %p: tensor<4xf32>, %q: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %0 = "stablehlo.all_reduce"(%p) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %x, %0 : tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%q) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.add %1, %2 : tensor<4xf32>
  return %3, %1 : tensor<4xf32>, tensor<4xf32>
}

// -----

// Groups of replicas are none of partitions, whatever their numbers.
// CHECK-LABEL: func.func @numbered_otherwise
// CHECK: "stablehlo.all_reduce"(%arg1)
// CHECK: "stablehlo.all_reduce"(%arg2)
func.func @numbered_otherwise(%x: tensor<4xf32>, %p: tensor<4xf32>, %q: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%p) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %x, %0 : tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%q) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.add %1, %2 : tensor<4xf32>
  return %3 : tensor<4xf32>
}

// -----

// What is reduced in a wider type would overflow if it were added up first.
// CHECK-LABEL: func.func @reduced_in_wider_type
// CHECK: "stablehlo.all_reduce"(%arg1)
// CHECK: "stablehlo.all_reduce"(%arg2)
func.func @reduced_in_wider_type(%x: tensor<4xi32>, %p: tensor<4xi8>, %q: tensor<4xi8>) -> tensor<4xi32> {
  %0 = "stablehlo.all_reduce"(%p) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<4xi8>) -> tensor<4xi32>
  %1 = stablehlo.add %x, %0 : tensor<4xi32>
  %2 = "stablehlo.all_reduce"(%q) ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids} : (tensor<4xi8>) -> tensor<4xi32>
  %3 = stablehlo.add %1, %2 : tensor<4xi32>
  return %3 : tensor<4xi32>
}

// -----

// What is subtracted is collected with the other sign, also where a difference of it is subtracted. What others are taken
// from stays, as nothing would be left there.
// CHECK-LABEL: func.func @differences
// CHECK: %[[OTHER:.*]] = stablehlo.subtract %arg3, %arg0
// CHECK: %[[PQ:.*]] = stablehlo.subtract %arg2, %arg1
// CHECK: %[[ALL:.*]] = stablehlo.add %[[PQ]], %arg4
// CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[ALL]])
// CHECK: %[[FROM:.*]] = "stablehlo.all_reduce"(%arg5)
// CHECK-NOT: all_reduce
// CHECK: stablehlo.subtract %[[FROM]],
func.func @differences(%x: tensor<4xf32>, %p: tensor<4xf32>, %q: tensor<4xf32>, %y: tensor<4xf32>, %r: tensor<4xf32>, %t: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.all_reduce"(%p) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.add %x, %0 : tensor<4xf32>
  %2 = "stablehlo.all_reduce"(%q) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.subtract %1, %2 : tensor<4xf32>
  %4 = stablehlo.subtract %y, %3 : tensor<4xf32>
  %5 = "stablehlo.all_reduce"(%r) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  %6 = stablehlo.add %4, %5 : tensor<4xf32>
  %7 = "stablehlo.all_reduce"(%t) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
  %8 = stablehlo.subtract %7, %6 : tensor<4xf32>
  return %8 : tensor<4xf32>
}

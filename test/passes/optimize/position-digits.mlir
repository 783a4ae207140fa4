// RUN: spmd-opt %s --spmd-optimize | FileCheck %s

// A slice that takes each device's own part of what was gathered is that part. Whether it does is read from the arithmetic on the
// number of the device that gives its offset; what stays is an offset that differs on some device, or that nobody can tell.
module attributes {mhlo.num_partitions = 12 : i32, mhlo.num_replicas = 1 : i32} {

// Digits of the number: the last, the first, one between.
// CHECK-LABEL: func.func @remainder(
// CHECK-NOT: all_gather
// CHECK: return %arg0
func.func @remainder(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %at = stablehlo.remainder %id, %c4 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @quotient(
// CHECK-NOT: all_gather
// CHECK: return %arg0
func.func @quotient(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4, 8], [1, 5, 9], [2, 6, 10], [3, 7, 11]]> : tensor<4x3xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<3xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %at = stablehlo.divide %id, %c4 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<3xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @remainder_of_quotient(
// CHECK-NOT: all_gather
// CHECK: return %arg0
func.func @remainder_of_quotient(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4], [1, 3, 5], [6, 8, 10], [7, 9, 11]]> : tensor<4x3xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<3xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c2 = stablehlo.constant dense<2> : tensor<ui32>
  %c3 = stablehlo.constant dense<3> : tensor<ui32>
  %row = stablehlo.divide %id, %c2 : tensor<ui32>
  %at = stablehlo.remainder %row, %c3 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<3xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @quotient_of_remainder(
// CHECK-NOT: all_gather
// CHECK: return %arg0
func.func @quotient_of_remainder(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4], [1, 3, 5], [6, 8, 10], [7, 9, 11]]> : tensor<4x3xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<3xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c6 = stablehlo.constant dense<6> : tensor<ui32>
  %c2 = stablehlo.constant dense<2> : tensor<ui32>
  %row = stablehlo.remainder %id, %c6 : tensor<ui32>
  %at = stablehlo.divide %row, %c2 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<3xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// Sums of multiples, whatever the order of operands; 0 adds nothing.
// CHECK-LABEL: func.func @sum(
// CHECK-NOT: all_gather
// CHECK: return %arg0
func.func @sum(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 6, 7], [2, 3, 8, 9], [4, 5, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c6 = stablehlo.constant dense<6> : tensor<ui32>
  %c2 = stablehlo.constant dense<2> : tensor<ui32>
  %c0 = stablehlo.constant dense<0> : tensor<ui32>
  %half = stablehlo.divide %id, %c6 : tensor<ui32>
  %row = stablehlo.multiply %c2, %half : tensor<ui32>
  %place = stablehlo.remainder %id, %c2 : tensor<ui32>
  %nothing = stablehlo.multiply %place, %c0 : tensor<ui32>
  %both = stablehlo.add %row, %place : tensor<ui32>
  %at = stablehlo.add %c0, %both : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// 8 does not divide 12: the quotient is 1 on the last devices, not 0.
// CHECK-LABEL: func.func @uneven_quotient(
// CHECK: "stablehlo.all_gather"
func.func @uneven_quotient(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %c8 = stablehlo.constant dense<8> : tensor<ui32>
  %place = stablehlo.remainder %id, %c4 : tensor<ui32>
  %more = stablehlo.divide %id, %c8 : tensor<ui32>
  %at = stablehlo.add %place, %more : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// 4 does not divide 6: device 6 takes the first part, not the third.
// CHECK-LABEL: func.func @uneven_remainder(
// CHECK: "stablehlo.all_gather"
func.func @uneven_remainder(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c6 = stablehlo.constant dense<6> : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %six = stablehlo.remainder %id, %c6 : tensor<ui32>
  %at = stablehlo.remainder %six, %c4 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// Multiples and sums have other digits than what they are made of.
// CHECK-LABEL: func.func @quotient_of_multiple(
// CHECK: "stablehlo.all_gather"
func.func @quotient_of_multiple(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2, 4, 6, 8, 10], [1, 3, 5, 7, 9, 11]]> : tensor<2x6xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<6xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c2 = stablehlo.constant dense<2> : tensor<ui32>
  %twice = stablehlo.multiply %id, %c2 : tensor<ui32>
  %at = stablehlo.divide %twice, %c2 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<6xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @remainder_of_multiple(
// CHECK: "stablehlo.all_gather"
func.func @remainder_of_multiple(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c2 = stablehlo.constant dense<2> : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %twice = stablehlo.multiply %id, %c2 : tensor<ui32>
  %at = stablehlo.remainder %twice, %c4 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @quotient_of_sum(
// CHECK: "stablehlo.all_gather"
func.func @quotient_of_sum(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 2], [1, 3], [4, 6], [5, 7], [8, 10], [9, 11]]> : tensor<6x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %c2 = stablehlo.constant dense<2> : tensor<ui32>
  %place = stablehlo.remainder %id, %c4 : tensor<ui32>
  %row = stablehlo.divide %id, %c4 : tensor<ui32>
  %sum = stablehlo.add %place, %row : tensor<ui32>
  %at = stablehlo.divide %sum, %c2 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<2xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @remainder_of_sum(
// CHECK: "stablehlo.all_gather"
func.func @remainder_of_sum(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %place = stablehlo.remainder %id, %c4 : tensor<ui32>
  %row = stablehlo.divide %id, %c4 : tensor<ui32>
  %sum = stablehlo.add %place, %row : tensor<ui32>
  %at = stablehlo.remainder %sum, %c4 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// Nothing is divided by 0, here either.
// CHECK-LABEL: func.func @quotient_by_zero(
// CHECK: "stablehlo.all_gather"
func.func @quotient_by_zero(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]> : tensor<6x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c0 = stablehlo.constant dense<0> : tensor<ui32>
  %at = stablehlo.divide %id, %c0 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<2xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @remainder_by_zero(
// CHECK: "stablehlo.all_gather"
func.func @remainder_by_zero(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]> : tensor<6x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c0 = stablehlo.constant dense<0> : tensor<ui32>
  %at = stablehlo.remainder %id, %c0 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<2xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @quotient_of_zero(
// CHECK: "stablehlo.all_gather"
func.func @quotient_of_zero(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]> : tensor<6x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c0 = stablehlo.constant dense<0> : tensor<ui32>
  %c2 = stablehlo.constant dense<2> : tensor<ui32>
  %at = stablehlo.divide %c0, %c2 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<2xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @remainder_of_zero(
// CHECK: "stablehlo.all_gather"
func.func @remainder_of_zero(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]> : tensor<6x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c0 = stablehlo.constant dense<0> : tensor<ui32>
  %c2 = stablehlo.constant dense<2> : tensor<ui32>
  %at = stablehlo.remainder %c0, %c2 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<2xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// Other arithmetic is not read.
// CHECK-LABEL: func.func @difference(
// CHECK: "stablehlo.all_gather"
func.func @difference(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]> : tensor<6x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c2 = stablehlo.constant dense<2> : tensor<ui32>
  %at = stablehlo.subtract %id, %c2 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<2xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @square(
// CHECK: "stablehlo.all_gather"
func.func @square(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3], [4, 5], [6, 7], [8, 9], [10, 11]]> : tensor<6x2xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<2xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c2 = stablehlo.constant dense<2> : tensor<ui32>
  %place = stablehlo.remainder %id, %c2 : tensor<ui32>
  %at = stablehlo.multiply %place, %place : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<2xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// Constants and data are no digits.
// CHECK-LABEL: func.func @shifted(
// CHECK: "stablehlo.all_gather"
func.func @shifted(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %c1 = stablehlo.constant dense<1> : tensor<ui32>
  %place = stablehlo.remainder %id, %c4 : tensor<ui32>
  %at = stablehlo.add %place, %c1 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @given(
// CHECK: "stablehlo.all_gather"
func.func @given(%part: tensor<1xf32>, %at: tensor<ui32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>

  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @plus_given(
// CHECK: "stablehlo.all_gather"
func.func @plus_given(%part: tensor<1xf32>, %n: tensor<ui32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %place = stablehlo.remainder %id, %c4 : tensor<ui32>
  %at = stablehlo.add %place, %n : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @given_plus(
// CHECK: "stablehlo.all_gather"
func.func @given_plus(%part: tensor<1xf32>, %n: tensor<ui32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %place = stablehlo.remainder %id, %c4 : tensor<ui32>
  %at = stablehlo.add %n, %place : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @times_given(
// CHECK: "stablehlo.all_gather"
func.func @times_given(%part: tensor<1xf32>, %n: tensor<ui32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %place = stablehlo.remainder %id, %c4 : tensor<ui32>
  %at = stablehlo.multiply %place, %n : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @multiple_of_given(
// CHECK: "stablehlo.all_gather"
func.func @multiple_of_given(%part: tensor<1xf32>, %n: tensor<ui32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %place = stablehlo.remainder %id, %c4 : tensor<ui32>
  %more = stablehlo.multiply %n, %c4 : tensor<ui32>
  %at = stablehlo.add %place, %more : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// A type that holds all numbers keeps them, another does not.
// CHECK-LABEL: func.func @converted(
// CHECK-NOT: all_gather
// CHECK: return %arg0
func.func @converted(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]> : tensor<3x4xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<4xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %c4 = stablehlo.constant dense<4> : tensor<ui32>
  %wide = stablehlo.convert %id : (tensor<ui32>) -> tensor<i64>
  %one = stablehlo.reshape %wide : (tensor<i64>) -> tensor<1xi64>
  %scalar = stablehlo.reshape %one : (tensor<1xi64>) -> tensor<i64>
  %back = stablehlo.convert %scalar : (tensor<i64>) -> tensor<ui32>
  %at = stablehlo.remainder %back, %c4 : tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<4xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @converted_to_bool(
// CHECK: "stablehlo.all_gather"
func.func @converted_to_bool(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]> : tensor<1x12xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<12xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %is_other = stablehlo.convert %id : (tensor<ui32>) -> tensor<i1>
  %at = stablehlo.convert %is_other : (tensor<i1>) -> tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<12xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @converted_to_narrow(
// CHECK: "stablehlo.all_gather"
func.func @converted_to_narrow(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]> : tensor<1x12xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<12xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %low = stablehlo.convert %id : (tensor<ui32>) -> tensor<ui2>
  %at = stablehlo.convert %low : (tensor<ui2>) -> tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<12xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}

// CHECK-LABEL: func.func @converted_to_float(
// CHECK: "stablehlo.all_gather"
func.func @converted_to_float(%part: tensor<1xf32>) -> tensor<1xf32> {
  %all = "stablehlo.all_gather"(%part) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]]> : tensor<1x12xi64>, use_global_device_ids}> : (tensor<1xf32>) -> tensor<12xf32>
  %id = stablehlo.partition_id : tensor<ui32>
  %real = stablehlo.convert %id : (tensor<ui32>) -> tensor<f8E4M3FN>
  %at = stablehlo.convert %real : (tensor<f8E4M3FN>) -> tensor<ui32>
  %own = stablehlo.dynamic_slice %all, %at, sizes = [1] : (tensor<12xf32>, tensor<ui32>) -> tensor<1xf32>
  return %own : tensor<1xf32>
}
}

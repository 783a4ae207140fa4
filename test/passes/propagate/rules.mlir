// RUN: spmd-opt %s --spmd-propagate -o %t
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --spmd-propagate | diff %t -

sdy.mesh @mesh = <["x"=2, "y"=4]>

// Elementwise ops pass axes dim by dim, forward and backward.
// CHECK-LABEL: func.func @elementwise(
// CHECK-SAME: %arg1: {{.*}}sdy.sharding<@mesh, [{"x", ?}, {?}]>, spmd.inferred
// CHECK: stablehlo.add{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.inferred
func.func @elementwise(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// The result takes the major-most axes that both operands agree on, then the longer list.
// CHECK-LABEL: func.func @longer_list_wins(
// CHECK: stablehlo.add{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", "y", ?}, {?}]>]>, spmd.inferred
func.func @longer_list_wins(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A dot passes its free and batching dims to the result.
// CHECK-LABEL: func.func @dot_free_and_batch(
// CHECK-SAME: %arg1: {{.*}}sdy.sharding<@mesh, [{"x", ?}, {}, {"y"}]>
// CHECK: stablehlo.dot_general{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}, {"y", ?}]>]>, spmd.inferred
func.func @dot_free_and_batch(%a: tensor<2x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %b: tensor<2x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {}, {"y"}]>}) -> tensor<2x4x16xf32> {
  %0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x4x8xf32>, tensor<2x8x16xf32>) -> tensor<2x4x16xf32>
  return %0 : tensor<2x4x16xf32>
}

// The contracted dim of one operand tells the other; the result does not learn it.
// CHECK-LABEL: func.func @dot_contracted(
// CHECK-SAME: %arg1: {{.*}}sdy.sharding<@mesh, [{"y", ?}, {?}]>, spmd.inferred
// CHECK: stablehlo.dot_general{{.*}}sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>, spmd.inferred
func.func @dot_contracted(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %b: tensor<8x16xf32>) -> tensor<4x16xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// From the result back to both operands.
// CHECK-LABEL: func.func @dot_backward(
// CHECK-SAME: %arg0: {{.*}}sdy.sharding<@mesh, [{"x", ?}, {?}]>, spmd.inferred
// CHECK-SAME: %arg1: {{.*}}sdy.sharding<@mesh, [{?}, {"y", ?}]>, spmd.inferred
// CHECK: stablehlo.dot_general{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>, spmd.inferred
func.func @dot_backward(%a: tensor<4x8xf32>, %b: tensor<8x16xf32>) -> (tensor<4x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x16xf32>) -> tensor<4x16xf32>
  return %0 : tensor<4x16xf32>
}

// CHECK-LABEL: func.func @transpose(
// CHECK: stablehlo.transpose{{.*}}sdy.sharding_per_value<[<@mesh, [{"y", ?}, {"x", ?}, {?}]>]>, spmd.inferred
func.func @transpose(%a: tensor<2x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) -> tensor<8x2x4xf32> {
  %0 = stablehlo.transpose %a, dims = [2, 0, 1] : (tensor<2x4x8xf32>) -> tensor<8x2x4xf32>
  return %0 : tensor<8x2x4xf32>
}

// The major part of a merged dim passes, the minor part does not.
// CHECK-LABEL: func.func @reshape_merges(
// CHECK: stablehlo.reshape{{.*}}sdy.sharding_per_value<[<@mesh, [{"y", ?}]>]>, spmd.inferred
// CHECK: stablehlo.reshape{{.*}}sdy.sharding_per_value<[<@mesh, [{?}]>]>, spmd.inferred
func.func @reshape_merges(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<32xf32>, tensor<32xf32>) {
  %0 = stablehlo.reshape %a : (tensor<4x8xf32>) -> tensor<32xf32>
  %1 = stablehlo.reshape %b : (tensor<4x8xf32>) -> tensor<32xf32>
  return %0, %1 : tensor<32xf32>, tensor<32xf32>
}

// An axis longer than the major part goes on to the minor part, cut in two.
// CHECK-LABEL: func.func @reshape_splits(
// CHECK: stablehlo.reshape{{.*}}sdy.sharding_per_value<[<@mesh, [{"y":(1)2, ?}, {"y":(2)2, ?}]>]>, spmd.inferred
func.func @reshape_splits(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<2x8xf32> {
  %0 = stablehlo.reshape %a : (tensor<16xf32>) -> tensor<2x8xf32>
  return %0 : tensor<2x8xf32>
}

// Where an axis does not divide the major part, its own major part may: 6 heads on 4 devices are 3 and 3.
// CHECK-LABEL: func.func @reshape_splits_by_part_of_an_axis(
// CHECK: stablehlo.reshape{{.*}}sdy.sharding_per_value<[<@mesh, [{"y":(1)2, ?}, {?}]>]>, spmd.inferred
func.func @reshape_splits_by_part_of_an_axis(%a: tensor<48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<6x8xf32> {
  %0 = stablehlo.reshape %a : (tensor<48xf32>) -> tensor<6x8xf32>
  return %0 : tensor<6x8xf32>
}

// Kept dims pass through a reduction, reduced ones do not.
// CHECK-LABEL: func.func @reduce(
// CHECK-SAME: %arg1: {{.*}}sdy.sharding<@mesh, []>, spmd.inferred
// CHECK: stablehlo.reduce{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>, spmd.inferred
func.func @reduce(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %init: tensor<f32>) -> tensor<4xf32> {
  %0 = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1] : (tensor<4x8xf32>, tensor<f32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A broadcast dim of size 1 has nothing to do with the dim it grows to.
// CHECK-LABEL: func.func @broadcast(
// CHECK: stablehlo.broadcast_in_dim{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>, spmd.inferred
func.func @broadcast(%a: tensor<4x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>}) {
  %0 = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// A dim that is joined, cut or padded passes its axes, unless little of it is left.
// CHECK-LABEL: func.func @partly_touched(
// CHECK: stablehlo.concatenate{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>, spmd.inferred
// CHECK: stablehlo.slice{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>, spmd.inferred
// CHECK: stablehlo.slice{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.inferred
func.func @partly_touched(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x8xf32>, tensor<4x6xf32>, tensor<4x1xf32>) {
  %0 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %1 = stablehlo.slice %a [0:4, 1:7] : (tensor<4x8xf32>) -> tensor<4x6xf32>
  %2 = stablehlo.slice %a [0:4, 3:4] : (tensor<4x8xf32>) -> tensor<4x1xf32>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<4x6xf32>, tensor<4x1xf32>
}

// CHECK-LABEL: func.func @convolution(
// CHECK: stablehlo.convolution{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}, {"y", ?}]>]>, spmd.inferred
func.func @convolution(%a: tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %b: tensor<3x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}]>}) -> tensor<4x4x16xf32> {
  %0 = stablehlo.convolution(%a, %b) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x6x8xf32>, tensor<3x8x16xf32>) -> tensor<4x4x16xf32>
  return %0 : tensor<4x4x16xf32>
}

// RUN: spmd-opt %s --spmd-legalize-chlo | FileCheck %s

// Floats are sorted by total order, so that NaN has a place.
// CHECK-LABEL: func @top_k
// CHECK-SAME: (%[[X:.*]]: tensor<2x9xf32>)
func.func @top_k(%x: tensor<2x9xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>) {
  // CHECK-NEXT: %[[I:.*]] = stablehlo.iota dim = 1 : tensor<2x9xi32>
  // CHECK-NEXT: %[[S:.*]]:2 = "stablehlo.sort"(%[[X]], %[[I]]) <{dimension = 1 : i64, is_stable = true}> ({
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<f32>, %[[B:.*]]: tensor<f32>, %{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>):
  // CHECK-NEXT: stablehlo.compare GT, %[[A]], %[[B]], TOTALORDER
  // CHECK: stablehlo.slice %[[S]]#0 [0:2, 0:4]
  // CHECK-NEXT: stablehlo.slice %[[S]]#1 [0:2, 0:4]
  %0:2 = chlo.top_k(%x, k = 4) : tensor<2x9xf32> -> (tensor<2x4xf32>, tensor<2x4xi32>)
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<2x4xi32>
}

// CHECK-LABEL: func @top_k_of_integers
func.func @top_k_of_integers(%x: tensor<9xui8>) -> (tensor<4xui8>, tensor<4xi32>) {
  // CHECK: is_stable = false
  // CHECK: stablehlo.compare GT, %{{.*}}, %{{.*}} : (tensor<ui8>, tensor<ui8>) -> tensor<i1>
  %0:2 = chlo.top_k(%x, k = 4, is_stable = false) : tensor<9xui8> -> (tensor<4xui8>, tensor<4xi32>)
  return %0#0, %0#1 : tensor<4xui8>, tensor<4xi32>
}

// Each row stands once for each group, and is 0 but in its own; the sum over groups and columns leaves its product.
// CHECK-LABEL: func @ragged_rows
// CHECK-SAME: (%[[L:.*]]: tensor<11x5xf32>, %[[R:.*]]: tensor<3x5x7xf32>, %[[N:.*]]: tensor<3xi64>)
func.func @ragged_rows(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  // CHECK: %[[SIZES:.*]] = stablehlo.convert %[[N]] : (tensor<3xi64>) -> tensor<3xi32>
  // CHECK: %[[ENDS:.*]] = "stablehlo.reduce_window"(%[[SIZES]], %{{.*}}) <{padding = dense<{{\[\[}}2, 0]]> : tensor<1x2xi64>, window_dimensions = array<i64: 3>}>
  // CHECK: %[[STARTS:.*]] = stablehlo.subtract %[[ENDS]], %[[SIZES]]
  // CHECK: %[[ROWS:.*]] = stablehlo.iota dim = 1 : tensor<3x11xi32>
  // CHECK: %[[MASK:.*]] = stablehlo.and
  // CHECK: %[[MASKED:.*]] = stablehlo.select {{.*}} : tensor<3x11x5xi1>, tensor<3x11x5xf32>
  // CHECK-NEXT: stablehlo.dot_general %[[MASKED]], %[[R]], contracting_dims = [2, 0] x [1, 0], precision = [HIGH, DEFAULT] : (tensor<3x11x5xf32>, tensor<3x5x7xf32>) -> tensor<11x7xf32>
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>]}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// The groups come out behind the batches, and belong in front.
// CHECK-LABEL: func @ragged_columns
func.func @ragged_columns(%lhs: tensor<2x11x5xf32>, %rhs: tensor<2x5x7xf32>, %sizes: tensor<2x3xi32>) -> tensor<3x2x11x7xf32> {
  // CHECK: stablehlo.iota dim = 2 : tensor<3x2x5xi32>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [1, 0] : (tensor<2x3xi32>) -> tensor<3x2x5xi32>
  // CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [1] x [0], contracting_dims = [3] x [1] : (tensor<3x2x11x5xf32>, tensor<2x5x7xf32>) -> tensor<2x3x11x7xf32>
  // CHECK-NEXT: stablehlo.transpose %{{.*}}, dims = [1, 0, 2, 3]
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}>
      : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<2x3xi32>) -> tensor<3x2x11x7xf32>
  return %0 : tensor<3x2x11x7xf32>
}

// CHECK-LABEL: func @ragged_batches
func.func @ragged_batches(%lhs: tensor<2x11x5xcomplex<f32>>, %rhs: tensor<2x5x7xcomplex<f32>>, %sizes: tensor<3xi32>) -> tensor<2x11x7xcomplex<f32>> {
  // CHECK-NEXT: stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [2] x [1]
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}>
      : (tensor<2x11x5xcomplex<f32>>, tensor<2x5x7xcomplex<f32>>, tensor<3xi32>) -> tensor<2x11x7xcomplex<f32>>
  return %0 : tensor<2x11x7xcomplex<f32>>
}

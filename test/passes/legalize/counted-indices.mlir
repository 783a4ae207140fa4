// RUN: spmd-opt %s --spmd-legalize-chlo | FileCheck %s

// An index (row, column) whose rows are those of the indices: rows are a batch dim.
// CHECK-LABEL: func @picks
// CHECK-SAME: (%[[X:.*]]: tensor<6x8xf32>, %[[C:.*]]: tensor<6x3x1xi32>)
func.func @picks(%x: tensor<6x8xf32>, %columns: tensor<6x3x1xi32>) -> tensor<6x3xf32> {
  %rows = stablehlo.iota dim = 0 : tensor<6x3x1xi32>
  %at = stablehlo.concatenate %rows, %columns, dim = 2 : (tensor<6x3x1xi32>, tensor<6x3x1xi32>) -> tensor<6x3x2xi32>
  // CHECK: "stablehlo.gather"(%[[X]], %[[C]])
  // CHECK-SAME: collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2
  // CHECK-SAME: indices_are_sorted = false
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>, indices_are_sorted = true}> : (tensor<6x8xf32>, tensor<6x3x2xi32>) -> tensor<6x3xf32>
  return %0 : tensor<6x3xf32>
}

// The count reaches the index through ops that keep it; two of three components count.
// CHECK-LABEL: func @derived
// CHECK-SAME: (%[[X:.*]]: tensor<4x8x6x5xf32>, %[[C:.*]]: tensor<6x4x1xi64>)
func.func @derived(%x: tensor<4x8x6x5xf32>, %at1: tensor<6x4x1xi64>) -> tensor<6x4x5xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.broadcast_in_dim %zero, dims = [] : (tensor<i32>) -> tensor<6xi32>
  %size = stablehlo.constant dense<6> : tensor<6xi32>
  %count = stablehlo.iota dim = 0 : tensor<6xi32>
  %below = stablehlo.compare LT, %count, %zeros : (tensor<6xi32>, tensor<6xi32>) -> tensor<6xi1>
  %fromEnd = stablehlo.add %count, %size : tensor<6xi32>
  %inRange = stablehlo.select %below, %fromEnd, %count : tensor<6xi1>, tensor<6xi32>
  %wide = stablehlo.convert %inRange : (tensor<6xi32>) -> tensor<6xi64>
  %spread = stablehlo.broadcast_in_dim %wide, dims = [1] : (tensor<6xi64>) -> tensor<4x6xi64>
  %turned = stablehlo.transpose %spread, dims = [1, 0] : (tensor<4x6xi64>) -> tensor<6x4xi64>
  %at2 = stablehlo.reshape %turned : (tensor<6x4xi64>) -> tensor<6x4x1xi64>
  %at0 = stablehlo.iota dim = 1 : tensor<6x4x1xi64>
  %at = stablehlo.concatenate %at2, %at1, %at0, dim = 2 : (tensor<6x4x1xi64>, tensor<6x4x1xi64>, tensor<6x4x1xi64>) -> tensor<6x4x3xi64>
  // CHECK: "stablehlo.gather"(%[[X]], %[[C]])
  // CHECK-SAME: offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0, 2], start_indices_batching_dims = [1, 0], start_index_map = [1], index_vector_dim = 2
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0, 1, 2], start_index_map = [2, 1, 0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1, 5>}> : (tensor<4x8x6x5xf32>, tensor<6x4x3xi64>) -> tensor<6x4x5xf32>
  return %0 : tensor<6x4x5xf32>
}

// CHECK-LABEL: func @stores
// CHECK-SAME: (%[[X:.*]]: tensor<6x8x5xf32>, %[[C:.*]]: tensor<6x2xi32>, %[[U:.*]]: tensor<6xf32>)
func.func @stores(%x: tensor<6x8x5xf32>, %rest: tensor<6x2xi32>, %u: tensor<6xf32>) -> tensor<6x8x5xf32> {
  %rows = stablehlo.iota dim = 0 : tensor<6x1xi32>
  %at = stablehlo.concatenate %rows, %rest, dim = 1 : (tensor<6x1xi32>, tensor<6x2xi32>) -> tensor<6x3xi32>
  // CHECK: "stablehlo.scatter"(%[[X]], %[[C]], %[[U]])
  // CHECK-SAME: inserted_window_dims = [1, 2], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 1
  %0 = "stablehlo.scatter"(%x, %at, %u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1, 2], scatter_dims_to_operand_dims = [0, 1, 2], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %b : tensor<f32>
  }) : (tensor<6x8x5xf32>, tensor<6x3xi32>, tensor<6xf32>) -> tensor<6x8x5xf32>
  return %0 : tensor<6x8x5xf32>
}

// Kept: fewer rows than the operand has, one dim counted twice (all components would go), and a
// count that wraps in its type.
// CHECK-LABEL: func @others
func.func @others(%x: tensor<6x8xf32>, %y: tensor<300x4xf32>, %columns: tensor<5x1xi32>, %wrapped: tensor<300x1xi8>) -> (tensor<5xf32>, tensor<6xf32>, tensor<300xf32>) {
  // CHECK-COUNT-3: {{.*}}stablehlo.gather{{.*}} start_index_map = [0, 1]
  %rows = stablehlo.iota dim = 0 : tensor<5x1xi32>
  %at = stablehlo.concatenate %rows, %columns, dim = 1 : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x2xi32>
  %0 = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x8xf32>, tensor<5x2xi32>) -> tensor<5xf32>
  %six = stablehlo.iota dim = 0 : tensor<6x2xi32>
  %1 = "stablehlo.gather"(%x, %six) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<6x8xf32>, tensor<6x2xi32>) -> tensor<6xf32>
  %bytes = stablehlo.iota dim = 0 : tensor<300x1xi8>
  %small = stablehlo.concatenate %bytes, %wrapped, dim = 1 : (tensor<300x1xi8>, tensor<300x1xi8>) -> tensor<300x2xi8>
  %2 = "stablehlo.gather"(%y, %small) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<300x4xf32>, tensor<300x2xi8>) -> tensor<300xf32>
  return %0, %1, %2 : tensor<5xf32>, tensor<6xf32>, tensor<300xf32>
}

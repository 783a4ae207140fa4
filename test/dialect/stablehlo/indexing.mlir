// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s
// Ops that read or write at places given by operands.

// CHECK-LABEL: func.func @dynamic_slices(
// CHECK: %0 = stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [2, 3] : (tensor<4x9xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = stablehlo.dynamic_slice %arg3, sizes = [] : (tensor<f32>) -> tensor<f32>
// CHECK-NEXT: %2 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg2 : (tensor<4x9xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x9xf32>
func.func @dynamic_slices(%arg0: tensor<4x9xf32>, %arg1: tensor<2x3xf32>, %arg2: tensor<i32>, %arg3: tensor<f32>) {
  %0 = stablehlo.dynamic_slice %arg0, %arg2, %arg2, sizes = [2, 3] : (tensor<4x9xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>
  %1 = stablehlo.dynamic_slice %arg3, sizes = [] : (tensor<f32>) -> tensor<f32>
  %2 = stablehlo.dynamic_update_slice %arg0, %arg1, %arg2, %arg2 : (tensor<4x9xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<4x9xf32>
  return
}

// CHECK-LABEL: func.func @gather_rows(
// CHECK: %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 9>}> : (tensor<4x9xf32>, tensor<5x1xi32>) -> tensor<5x9xf32>
func.func @gather_rows(%arg0: tensor<4x9xf32>, %arg1: tensor<5x1xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true, slice_sizes = array<i64: 1, 9>}> : (tensor<4x9xf32>, tensor<5x1xi32>) -> tensor<5x9xf32>
  return
}

// CHECK-LABEL: func.func @gather_with_batching(
// CHECK: %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 9>}> : (tensor<2x4x9xf32>, tensor<2x5x1xi32>) -> tensor<2x5x9xf32>
func.func @gather_with_batching(%arg0: tensor<2x4x9xf32>, %arg1: tensor<2x5x1xi32>) {
  %0 = "stablehlo.gather"(%arg0, %arg1) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, indices_are_sorted = false, slice_sizes = array<i64: 1, 1, 9>}> : (tensor<2x4x9xf32>, tensor<2x5x1xi32>) -> tensor<2x5x9xf32>
  return
}

// CHECK-LABEL: func.func @scatter(
// CHECK: %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
// CHECK-NEXT: ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
// CHECK-NEXT: %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
// CHECK-NEXT: stablehlo.return %1 : tensor<f32>
// CHECK-NEXT: }) : (tensor<4x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<4x9xf32>
func.func @scatter(%arg0: tensor<4x9xf32>, %arg1: tensor<5x1xi32>, %arg2: tensor<5x9xf32>) {
  %0 = "stablehlo.scatter"(%arg0, %arg1, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
    %1 = stablehlo.add %arg3, %arg4 : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4x9xf32>, tensor<5x1xi32>, tensor<5x9xf32>) -> tensor<4x9xf32>
  return
}

// CHECK-LABEL: func.func @scatter_with_batching_of_two_inputs(
// CHECK: %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
// CHECK-NEXT: ^bb0(%arg5: tensor<f32>, %arg6: tensor<i8>, %arg7: tensor<f32>, %arg8: tensor<i8>):
// CHECK-NEXT: stablehlo.return %arg7, %arg8 : tensor<f32>, tensor<i8>
// CHECK-NEXT: }) : (tensor<2x4xf32>, tensor<2x4xi8>, tensor<2x5x1xi32>, tensor<2x5xf32>, tensor<2x5xi8>) -> (tensor<2x4xf32>, tensor<2x4xi8>)
func.func @scatter_with_batching_of_two_inputs(%arg0: tensor<2x4xf32>, %arg1: tensor<2x4xi8>, %arg2: tensor<2x5x1xi32>, %arg3: tensor<2x5xf32>, %arg4: tensor<2x5xi8>) {
  %0:2 = "stablehlo.scatter"(%arg0, %arg1, %arg2, %arg3, %arg4) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%arg5: tensor<f32>, %arg6: tensor<i8>, %arg7: tensor<f32>, %arg8: tensor<i8>):
    stablehlo.return %arg7, %arg8 : tensor<f32>, tensor<i8>
  }) : (tensor<2x4xf32>, tensor<2x4xi8>, tensor<2x5x1xi32>, tensor<2x5xf32>, tensor<2x5xi8>) -> (tensor<2x4xf32>, tensor<2x4xi8>)
  return
}

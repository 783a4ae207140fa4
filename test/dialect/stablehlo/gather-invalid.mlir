// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// gather_c4
func.func @gather_c4(%x: tensor<2x7x32x3xf32>, %i: tensor<2x4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op offset_dims has 3 before 2; it must be sorted}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3, 2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32, 3>}> : (tensor<2x7x32x3xf32>, tensor<2x4x1xi32>) -> tensor<2x4x3x32xf32>
  return
}

// -----

// gather_c5
func.func @gather_c5_batched(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op offset_dims has 3, result 0 has rank 3}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [3], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x7x32xf32>, tensor<2x4x1xi32>) -> tensor<2x4x32xf32>
  return
}

// -----

// gather_c6
func.func @gather_c6(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op collapsed_slice_dims and operand_batching_dims has 0 twice}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x7x32xf32>, tensor<2x4x1xi32>) -> tensor<2x4x32xf32>
  return
}

// -----

// gather_c7
func.func @gather_c7(%x: tensor<7x2x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op collapsed_slice_dims has 1 before 0; it must be sorted}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1, 0], operand_batching_dims = [], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<7x2x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// gather_c8
func.func @gather_c8_batched(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op collapsed_slice_dims and operand_batching_dims has 3, operand 0 has rank 3}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [3], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x7x32xf32>, tensor<2x4x1xi32>) -> tensor<2x4x32xf32>
  return
}

// -----

// gather_c10
func.func @gather_c10(%x: tensor<2x2x32xf32>, %i: tensor<2x2x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op operand_batching_dims has 1 before 0; it must be sorted}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [], operand_batching_dims = [1, 0], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x2x32xf32>, tensor<2x2x1xi32>) -> tensor<2x2x32xf32>
  return
}

// -----

// gather_c11
func.func @gather_c11(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op collapsed_slice_dims and operand_batching_dims has 3, operand 0 has rank 3}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [3], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x7x32xf32>, tensor<2x4x1xi32>) -> tensor<2x4x32xf32>
  return
}

// -----

// gather_c12
func.func @gather_c12(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op slice_sizes has 2 for dim 0, a collapsed or batching dim; expected 0 or 1}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 2, 1, 32>}> : (tensor<2x7x32xf32>, tensor<2x4x1xi32>) -> tensor<2x4x32xf32>
  return
}

// -----

// gather_c13
func.func @gather_c13(%x: tensor<2x2x32xf32>, %i: tensor<2x2x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op start_indices_batching_dims has 0 twice}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 0], start_index_map = [2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x2x32xf32>, tensor<2x2x1xi32>) -> tensor<2x2x32xf32>
  return
}

// -----

// gather_c14
func.func @gather_c14(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op start_indices_batching_dims has 3, operand 1 has rank 3}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [3], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x7x32xf32>, tensor<2x4x1xi32>) -> tensor<2x4x32xf32>
  return
}

// -----

// gather_c15
func.func @gather_c15(%x: tensor<2x7x32xf32>, %i: tensor<4x1x2xi32>) {
  // expected-error@below {{'stablehlo.gather' op start_indices_batching_dims has 2, the index_vector_dim}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [2], start_index_map = [1, 2], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x7x32xf32>, tensor<4x1x2xi32>) -> tensor<4x1x32xf32>
  return
}

// -----

// gather_c16
func.func @gather_c16(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op start_indices_batching_dims has 0 entries, operand_batching_dims has 1}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x7x32xf32>, tensor<2x4x1xi32>) -> tensor<2x4x32xf32>
  return
}

// -----

// gather_c17
func.func @gather_c17(%x: tensor<2x7x32xf32>, %i: tensor<3x4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op batching dim 0 of operand 0 has size 2, dim 0 of operand 1 has size 3}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x7x32xf32>, tensor<3x4x1xi32>) -> tensor<2x4x32xf32>
  return
}

// -----

// gather_c18
func.func @gather_c18(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op start_index_map and operand_batching_dims has 0 twice}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x7x32xf32>, tensor<2x4x1xi32>) -> tensor<2x4x32xf32>
  return
}

// -----

// gather_c23
func.func @gather_c23(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op result 0 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 32>}> : (tensor<2x7x32xf32>, tensor<2x4x1xi32>) -> tensor<2x4x32xf64>
  return
}

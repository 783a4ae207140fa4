// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// dynamic_slice_c2
func.func @dynamic_slice_c2(%x: tensor<4x5xf32>, %i: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_slice' op list of start indices has 1 entries, operand 0 has rank 2}}
  %0 = stablehlo.dynamic_slice %x, %i, sizes = [1, 2] : (tensor<4x5xf32>, tensor<i32>) -> tensor<1x2xf32>
  return
}

// -----

// dynamic_slice_c3
func.func @dynamic_slice_c3(%x: tensor<4x5xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@below {{'stablehlo.dynamic_slice' op start index 1 has type 'tensor<i64>', start index 0 has type 'tensor<i32>'}}
  %0 = stablehlo.dynamic_slice %x, %i, %j, sizes = [1, 2] : (tensor<4x5xf32>, tensor<i32>, tensor<i64>) -> tensor<1x2xf32>
  return
}

// -----

// dynamic_slice_c4
func.func @dynamic_slice_c4(%x: tensor<4x5xf32>, %i: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_slice' op slice_sizes has 6 for dim 1, operand 0 has size 5}}
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 6] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x6xf32>
  return
}

// -----

// dynamic_slice_c5
func.func @dynamic_slice_c5(%x: tensor<4x5xf32>, %i: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_slice' op result 0 has size 2 in dim 1, expected 3}}
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 3] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  return
}

// -----

// dynamic_update_slice_c3
func.func @dynamic_update_slice_c3(%x: tensor<4x5xf32>, %u: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_update_slice' op operand 1 has rank 1, operand 0 has rank 2}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x5xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
  return
}

// -----

// dynamic_update_slice_c6
func.func @dynamic_update_slice_c6(%x: tensor<4x5xf32>, %u: tensor<1x6xf32>, %i: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_update_slice' op operand 1 has size 6 in dim 1, operand 0 has size 5}}
  %0 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x5xf32>, tensor<1x6xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
  return
}

// -----

// gather_c1
func.func @gather_c1(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op offset_dims, collapsed_slice_dims and operand_batching_dims have 1 entries, operand 0 has rank 2}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// gather_c2
func.func @gather_c2(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op index_vector_dim is 3, operand 1 has rank 2}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 3>, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// gather_c3
func.func @gather_c3(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op start_index_map has 2 entries, an index has 1 components}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// gather_c5
func.func @gather_c5(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op offset_dims has 2, result 0 has rank 2}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// gather_c8
func.func @gather_c8(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op collapsed_slice_dims and operand_batching_dims has 2, operand 0 has rank 2}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [2], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// gather_c9
func.func @gather_c9(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op slice_sizes has 2 for dim 0, a collapsed or batching dim; expected 0 or 1}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// gather_c19
func.func @gather_c19(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op start_index_map and operand_batching_dims has -1, operand 0 has rank 2}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [-1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// gather_c20
func.func @gather_c20(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op slice_sizes has 1 entries, operand 0 has rank 2}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// gather_c21
func.func @gather_c21(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op slice_sizes has 33 for dim 1, operand 0 has size 32}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 33>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// gather_c21
func.func @gather_c21_negative(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op slice_sizes has -9223372036854775808 for dim 1, operand 0 has size 32}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, -9223372036854775808>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// gather_c22
func.func @gather_c22(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op result 0 has size 31 in dim 1, expected 32}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x31xf32>
  return
}

// -----

// gather_c22
func.func @gather_c22_rank(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.gather' op result 0 has rank 3, expected 2}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32x1xf32>
  return
}

// -----

func.func @gather_field_twice(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{field 'offset_dims' occurs twice}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, offset_dims = [0]>, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

func.func @gather_unknown_field(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // expected-error@below {{unknown field 'offset'}}
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1, offset = [0]>, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// -----

// scatter_c2
func.func @scatter_c2(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>, %u: tensor<4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op update_window_dims, inserted_window_dims and input_batching_dims have 1 entries, operand 0 has rank 2}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<7x32xf32>, tensor<4x1xi32>, tensor<4x32xf32>) -> tensor<7x32xf32>
  return
}

// -----

// scatter_c4
func.func @scatter_c4(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>, %u: tensor<4x33xf32>) {
  // expected-error@below {{'stablehlo.scatter' op operand 2 has size 33 in dim 1, expected at most 32}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<7x32xf32>, tensor<4x1xi32>, tensor<4x33xf32>) -> tensor<7x32xf32>
  return
}

// -----

// scatter_c11
func.func @scatter_c11(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>, %u: tensor<4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op inserted_window_dims and input_batching_dims has 9, operand 0 has rank 2}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [9], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<7x32xf32>, tensor<4x1xi32>, tensor<4x32xf32>) -> tensor<7x32xf32>
  return
}

// -----

// scatter_c23
func.func @scatter_c23(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>, %u: tensor<4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op result 0 has element type 'f32', region 'update_computation' computes 'f64'}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<7x32xf32>, tensor<4x1xi32>, tensor<4x32xf32>) -> tensor<7x32xf32>
  return
}

// -----

func.func @scatter_region(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>, %u: tensor<4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op region 'update_computation' has 0 blocks, expected 1}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({}) : (tensor<7x32xf32>, tensor<4x1xi32>, tensor<4x32xf32>) -> tensor<7x32xf32>
  return
}

// -----

// dynamic_gather_c1
func.func @dynamic_gather_c1(%x: tensor<4x5xf32>, %i: tensor<3x1xi32>, %s: tensor<3xi64>) {
  // expected-error@below {{'stablehlo.dynamic_gather' op operand 2 has 3 entries, operand 0 has rank 2}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<3xi64>) -> tensor<3x?xf32>
  return
}

// -----

// dynamic_gather_c3
func.func @dynamic_gather_c3(%x: tensor<4x5xf32>, %i: tensor<3x2xi32>, %s: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.dynamic_gather' op start_index_map has 1 entries, an index has 2 components}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x2xi32>, tensor<2xi64>) -> tensor<3x?xf32>
  return
}

// -----

// dynamic_gather_c8
func.func @dynamic_gather_c8(%x: tensor<4x5xf32>, %i: tensor<3x1xi32>) {
  %s = stablehlo.constant dense<[2, 5]> : tensor<2xi64>
  // expected-error@below {{'stablehlo.dynamic_gather' op slice_sizes has 2 for dim 0, a collapsed or batching dim; expected 0 or 1}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x?xf32>
  return
}

// -----

// dynamic_gather_c12
func.func @dynamic_gather_c12(%x: tensor<4x5xf32>, %i: tensor<3x1xi32>) {
  %s = stablehlo.constant dense<[1, 6]> : tensor<2xi64>
  // expected-error@below {{'stablehlo.dynamic_gather' op slice_sizes has 6 for dim 1, operand 0 has size 5}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x?xf32>
  return
}

// -----

// dynamic_gather_c13
func.func @dynamic_gather_c13(%x: tensor<4x5xf32>, %i: tensor<3x1xi32>) {
  %s = stablehlo.constant dense<[1, 5]> : tensor<2xi64>
  // expected-error@below {{'stablehlo.dynamic_gather' op result 0 has size 4 in dim 1, expected 5}}
  %0 = "stablehlo.dynamic_gather"(%x, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>}> : (tensor<4x5xf32>, tensor<3x1xi32>, tensor<2xi64>) -> tensor<3x4xf32>
  return
}

// -----

func.func @torch_index_select_dim(%x: tensor<4x5x6xf32>, %i: tensor<3x2xi32>) {
  // expected-error@below {{'stablehlo.torch_index_select' op dim is 3, operand 0 has rank 3}}
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 3 : i64}> : (tensor<4x5x6xf32>, tensor<3x2xi32>) -> tensor<4x5x3x2xf32>
  return
}

// -----

func.func @torch_index_select_batch_dims(%x: tensor<4x5x6xf32>, %i: tensor<3x2xi32>) {
  // expected-error@below {{'stablehlo.torch_index_select' op batch_dims is 1, expected at most dim, 0, and the rank of operand 1, 2}}
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 1 : i64, dim = 0 : i64}> : (tensor<4x5x6xf32>, tensor<3x2xi32>) -> tensor<2x5x6xf32>
  return
}

// -----

func.func @torch_index_select_batch_size(%x: tensor<4x5x6xf32>, %i: tensor<3x2xi32>) {
  // expected-error@below {{'stablehlo.torch_index_select' op operand 1 has size 3 in dim 0, operand 0 has size 4}}
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<4x5x6xf32>, tensor<3x2xi32>) -> tensor<4x2x6xf32>
  return
}

// -----

func.func @torch_index_select_result(%x: tensor<4x5x6xf32>, %i: tensor<3x2xi32>) {
  // expected-error@below {{'stablehlo.torch_index_select' op result 0 has size 3 in dim 2, expected 2}}
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<4x5x6xf32>, tensor<3x2xi32>) -> tensor<4x3x3x6xf32>
  return
}

// -----

func.func @torch_index_select_elements(%x: tensor<4x5x6xf32>, %i: tensor<3x2xi32>) {
  // expected-error@below {{'stablehlo.torch_index_select' op result 0 has element type 'i32', operand 0 has 'f32'}}
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<4x5x6xf32>, tensor<3x2xi32>) -> tensor<4x3x2x6xi32>
  return
}

// -----

// dynamic_slice_c1
func.func @dynamic_slice_c1(%x: tensor<4xf32>, %i: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_slice' op result 0 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.dynamic_slice"(%x, %i) <{slice_sizes = array<i64: 2>}> : (tensor<4xf32>, tensor<i32>) -> tensor<2xf64>
  return
}

// -----

// dynamic_update_slice_c1
func.func @dynamic_update_slice_c1(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_update_slice' op result 0 has size 5 in dim 0, operand 0 has size 4}}
  %0 = "stablehlo.dynamic_update_slice"(%x, %u, %i) : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<5xf32>
  return
}

// -----

// dynamic_update_slice_c2
func.func @dynamic_update_slice_c2(%x: tensor<4xf32>, %u: tensor<2xf64>, %i: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_update_slice' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.dynamic_update_slice"(%x, %u, %i) : (tensor<4xf32>, tensor<2xf64>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

// dynamic_update_slice_c4
func.func @dynamic_update_slice_c4(%x: tensor<4xf32>, %u: tensor<2xf32>, %i: tensor<i32>) {
  // expected-error@below {{'stablehlo.dynamic_update_slice' op list of start indices has 2 entries, operand 0 has rank 1}}
  %0 = "stablehlo.dynamic_update_slice"(%x, %u, %i, %i) : (tensor<4xf32>, tensor<2xf32>, tensor<i32>, tensor<i32>) -> tensor<4xf32>
  return
}

// -----

// dynamic_update_slice_c5
func.func @dynamic_update_slice_c5(%x: tensor<4x3xf32>, %u: tensor<2x3xf32>, %i: tensor<i32>, %j: tensor<i64>) {
  // expected-error@below {{'stablehlo.dynamic_update_slice' op start index 1 has type 'tensor<i64>', start index 0 has type 'tensor<i32>'}}
  %0 = "stablehlo.dynamic_update_slice"(%x, %u, %i, %j) : (tensor<4x3xf32>, tensor<2x3xf32>, tensor<i32>, tensor<i64>) -> tensor<4x3xf32>
  return
}

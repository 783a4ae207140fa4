// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// scatter_c1
func.func @scatter_c1(%x: tensor<7x32xf32>, %y: tensor<8x32xf32>, %i: tensor<4x1xi32>, %u: tensor<4x32xf32>, %v: tensor<4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op operand 1 has size 8 in dim 0, operand 0 has size 7}}
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<7x32xf32>, tensor<8x32xf32>, tensor<4x1xi32>, tensor<4x32xf32>, tensor<4x32xf32>) -> (tensor<7x32xf32>, tensor<8x32xf32>)
  return
}

// -----

// scatter_c3
func.func @scatter_c3(%x: tensor<7x32xf32>, %y: tensor<7x32xf32>, %i: tensor<4x1xi32>, %u: tensor<4x32xf32>, %v: tensor<3x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op operand 4 has size 3 in dim 0, operand 3 has size 4}}
  %0:2 = "stablehlo.scatter"(%x, %y, %i, %u, %v) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<7x32xf32>, tensor<7x32xf32>, tensor<4x1xi32>, tensor<4x32xf32>, tensor<3x32xf32>) -> (tensor<7x32xf32>, tensor<7x32xf32>)
  return
}

// -----

// scatter_c6
func.func @scatter_c6(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf64>) {
  // expected-error@below {{'stablehlo.scatter' op operand 2 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf64>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c7
func.func @scatter_c7(%x: tensor<2x7x32x3xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x3x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op update_window_dims has 3 before 2; it must be sorted}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3, 2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32x3xf32>, tensor<2x4x1xi32>, tensor<2x4x3x32xf32>) -> tensor<2x7x32x3xf32>
  return
}

// -----

// scatter_c8
func.func @scatter_c8(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op update_window_dims has 3, operand 2 has rank 3}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [3], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c9
func.func @scatter_c9(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op inserted_window_dims and input_batching_dims has 0 twice}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [0], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c10
func.func @scatter_c10(%x: tensor<7x2x32xf32>, %i: tensor<4x1xi32>, %u: tensor<4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op inserted_window_dims has 1 before 0; it must be sorted}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1, 0], input_batching_dims = [], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<7x2x32xf32>, tensor<4x1xi32>, tensor<4x32xf32>) -> tensor<7x2x32xf32>
  return
}

// -----

// scatter_c12
func.func @scatter_c12(%x: tensor<2x2x32xf32>, %i: tensor<2x2x1xi32>, %u: tensor<2x2x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op input_batching_dims has 1 before 0; it must be sorted}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [], input_batching_dims = [1, 0], scatter_indices_batching_dims = [0, 1], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x2x32xf32>, tensor<2x2x1xi32>, tensor<2x2x32xf32>) -> tensor<2x2x32xf32>
  return
}

// -----

// scatter_c13
func.func @scatter_c13(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op inserted_window_dims and input_batching_dims has 3, operand 0 has rank 3}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [3], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c14
func.func @scatter_c14(%x: tensor<2x2x32xf32>, %i: tensor<2x2x1xi32>, %u: tensor<2x2x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op scatter_indices_batching_dims has 0 twice}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [], input_batching_dims = [0, 1], scatter_indices_batching_dims = [0, 0], scatter_dims_to_operand_dims = [2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x2x32xf32>, tensor<2x2x1xi32>, tensor<2x2x32xf32>) -> tensor<2x2x32xf32>
  return
}

// -----

// scatter_c15
func.func @scatter_c15(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op scatter_indices_batching_dims has 3, operand 1 has rank 3}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [3], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c16
func.func @scatter_c16(%x: tensor<2x7x32xf32>, %i: tensor<4x1x2xi32>, %u: tensor<4x1x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op scatter_indices_batching_dims has 2, the index_vector_dim}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [2], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<4x1x2xi32>, tensor<4x1x32xf32>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c17
func.func @scatter_c17(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op scatter_indices_batching_dims has 0 entries, input_batching_dims has 1}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c18
func.func @scatter_c18(%x: tensor<2x7x32xf32>, %i: tensor<3x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op batching dim 0 of operand 0 has size 2, dim 0 of operand 1 has size 3}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<3x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c19
func.func @scatter_c19(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op scatter_dims_to_operand_dims has 2 entries, an index has 1 components}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1, 2], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c20
func.func @scatter_c20(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op scatter_dims_to_operand_dims and input_batching_dims has 0 twice}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c21
func.func @scatter_c21(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op scatter_dims_to_operand_dims and input_batching_dims has 3, operand 0 has rank 3}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [3], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c22
func.func @scatter_c22(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op index_vector_dim is 4, operand 1 has rank 3}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 4>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x32xf32>
  return
}

// -----

// scatter_c24
func.func @scatter_c24(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op result 0 has size 31 in dim 2, operand 0 has size 32}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x31xf32>
  return
}

// -----

// scatter_c25
func.func @scatter_c25(%x: tensor<2x7x32xf32>, %i: tensor<2x4x1xi32>, %u: tensor<2x4x32xf32>) {
  // expected-error@below {{'stablehlo.scatter' op result 0 has element type 'f64', region 'update_computation' computes 'f32'}}
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [2], inserted_window_dims = [1], input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x7x32xf32>, tensor<2x4x1xi32>, tensor<2x4x32xf32>) -> tensor<2x7x32xf64>
  return
}

// -----

// scatter_c5
func.func @scatter_c5(%i: tensor<4x1xi32>) {
  // expected-error@below {{'stablehlo.scatter' op has no inputs}}
  "stablehlo.scatter"(%i) <{scatter_dimension_numbers = #stablehlo.scatter<index_vector_dim = 1>}> ({
  ^bb0:
    stablehlo.return
  }) : (tensor<4x1xi32>) -> ()
  return
}

// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// broadcast_c1
func.func @too_few_dims(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error@below {{'chlo.broadcast_add' op broadcast_dimensions has 0 entries, the smaller rank is 1}}
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// broadcast_c1
func.func @no_such_dim(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x3xf32> {
  // expected-error@below {{'chlo.broadcast_add' op broadcast_dimensions has 2, the result has rank 2}}
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 2>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// broadcast_c1
func.func @not_ascending(%a: tensor<2x3x4xf32>, %b: tensor<4x3xf32>) -> tensor<2x3x4xf32> {
  // expected-error@below {{'chlo.broadcast_add' op broadcast_dimensions has 2 before 1; it must be sorted}}
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 2, 1>} : (tensor<2x3x4xf32>, tensor<4x3xf32>) -> tensor<2x3x4xf32>
  return %0 : tensor<2x3x4xf32>
}

// -----

// broadcast_c2
func.func @sizes(%a: tensor<2x3xf32>, %b: tensor<4xf32>) -> tensor<2x3xf32> {
  // expected-error@below {{'chlo.broadcast_add' op operand 1 has size 4 in dim 1 of the result, operand 0 has 3}}
  %0 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

// broadcast_c2
func.func @result(%a: tensor<2x3xf32>, %b: tensor<3xf32>) -> tensor<2x4xf32> {
  // expected-error@below {{'chlo.broadcast_add' op result 0 has size 4 in dim 1, expected 3}}
  %0 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

// broadcast_c3
func.func @elements(%a: tensor<2x3xf32>, %b: tensor<3xf64>) -> tensor<2x3xf32> {
  // expected-error@below {{'chlo.broadcast_add' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = chlo.broadcast_add %a, %b : (tensor<2x3xf32>, tensor<3xf64>) -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

// -----

func.func @complex_parts(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xcomplex<f64>> {
  // expected-error@below {{'chlo.broadcast_complex' op result 0 has element type 'complex<f64>', its parts are 'f32'}}
  %0 = chlo.broadcast_complex %a, %b : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xcomplex<f64>>
  return %0 : tensor<3xcomplex<f64>>
}

// -----

func.func @compare_elements(%a: tensor<3xf32>, %b: tensor<3xi32>) -> tensor<3xi1> {
  // expected-error@below {{'chlo.broadcast_compare' op operand 1 has element type 'i32', operand 0 has 'f32'}}
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction EQ>} : (tensor<3xf32>, tensor<3xi32>) -> tensor<3xi1>
  return %0 : tensor<3xi1>
}

// -----

func.func @select_elements(%p: tensor<i1>, %a: tensor<3xf32>, %b: tensor<3xi32>) -> tensor<3xf32> {
  // expected-error@below {{'chlo.broadcast_select' op operand 2 has element type 'i32', operand 1 has 'f32'}}
  %0 = chlo.broadcast_select %p, %a, %b : (tensor<i1>, tensor<3xf32>, tensor<3xi32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

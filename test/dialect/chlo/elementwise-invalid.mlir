// RUN: spmd-opt %s --verify-diagnostics --split-input-file

func.func @square_shape(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@below {{'chlo.square' op result 0 has size 4 in dim 1, operand 0 has size 3}}
  %0 = chlo.square %x : tensor<2x3xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

// -----

func.func @erf_elements(%x: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error@below {{'chlo.erf' op operand #0 must be tensor of floating-point type, but got 'tensor<2xi32>'}}
  %0 = chlo.erf %x : tensor<2xi32> -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// -----

func.func @zeta_elements(%x: tensor<2xf32>, %q: tensor<2xf64>) -> tensor<2xf32> {
  // expected-error@below {{'chlo.zeta' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = chlo.zeta %x, %q : tensor<2xf32>, tensor<2xf64> -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

func.func @constant_like_element(%x: tensor<2xi32>) -> tensor<2xi32> {
  // expected-error@below {{'chlo.constant_like' op value has type 'f32', result 0 has element type 'i32'}}
  %0 = "chlo.constant_like"(%x) {value = 3.2 : f32} : (tensor<2xi32>) -> tensor<2xi32>
  return %0 : tensor<2xi32>
}

// RUN: spmd-opt %s --verify-diagnostics --split-input-file

func.func @square_shape(%x: tensor<2x3xf32>) -> tensor<2x4xf32> {
  // expected-error@below {{'chlo.square' op result 0 has size 4 in dim 1, operand 0 has size 3}}
  %0 = chlo.square %x : tensor<2x3xf32> -> tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

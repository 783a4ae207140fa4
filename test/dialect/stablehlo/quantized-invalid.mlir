// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// uniform_quantize_c1
func.func @uniform_quantize_c1(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.uniform_quantize' op result 0 has size 4 in dim 0, operand 0 has size 3}}
  %0 = stablehlo.uniform_quantize %x : (tensor<3xf32>) -> tensor<4x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// uniform_quantize_c2
func.func @uniform_quantize_c2(%x: tensor<3xf64>) {
  // expected-error@below {{'stablehlo.uniform_quantize' op result 0 expresses 'f32', operand 0 has element type 'f64'}}
  %0 = stablehlo.uniform_quantize %x : (tensor<3xf64>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// uniform_quantize_c2
func.func @uniform_quantize_c2_again(%x: tensor<3x!quant.uniform<i8:f64, 0.5>>) {
  // expected-error@below {{'stablehlo.uniform_quantize' op result 0 expresses 'f32', operand 0 expresses 'f64'}}
  %0 = stablehlo.uniform_quantize %x : (tensor<3x!quant.uniform<i8:f64, 0.5>>) -> tensor<3x!quant.uniform<i8:f32, 0.5>>
  return
}

// -----

// uniform_dequantize_c2
func.func @uniform_dequantize_c2(%x: tensor<3x!quant.uniform<i8:f32, 0.5>>) {
  // expected-error@below {{'stablehlo.uniform_dequantize' op result 0 has element type 'f64', operand 0 expresses 'f32'}}
  %0 = stablehlo.uniform_dequantize %x : (tensor<3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3xf64>
  return
}

// -----

// uniform_dequantize_c1
func.func @uniform_dequantize_c1(%x: tensor<2x3x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error@below {{'stablehlo.uniform_dequantize' op result 0 has size 4 in dim 1, operand 0 has size 3}}
  %0 = "stablehlo.uniform_dequantize"(%x) : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x4xf32>
  return
}

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

// -----

func.func @constant_of_unsigned() {
  // expected-error@below {{'stablehlo.constant' op value has element type 'ui8', result 0 is stored as signed 'i8'}}
  %0 = "stablehlo.constant"() {value = dense<[1, 2]> : tensor<2xui8>} : () -> tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  return
}

// -----

func.func @barrier_along_a_dim(%x: tensor<1x2x!quant.uniform<i8:f32:0, {0.1:-30}>>) {
  // expected-error@below {{'stablehlo.optimization_barrier' op operand 0 is quantized along a dim; expected one scale for the whole tensor}}
  %0 = "stablehlo.optimization_barrier"(%x) : (tensor<1x2x!quant.uniform<i8:f32:0, {0.1:-30}>>) -> tensor<1x2x!quant.uniform<i8:f32:0, {0.1:-30}>>
  return
}

// -----

// Storage is signless; the type says beside it whether the numbers have a sign.
func.func @signed_storage(%x: tensor<4x!quant.uniform<si8:f32, 1.0>>) {
  // expected-error@below {{'stablehlo.uniform_dequantize' op operand #0 must be tensor of quantized type, but got 'tensor<4x!quant.uniform<i8:f32, 1.000000e+00>>'}}
  %0 = "stablehlo.uniform_dequantize"(%x) : (tensor<4x!quant.uniform<si8:f32, 1.0>>) -> tensor<4xf32>
  return
}

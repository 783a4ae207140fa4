// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// add_c1
func.func @add_c1(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@below {{'stablehlo.add' op operand 1 has size 4 in dim 1, operand 0 has size 3}}
  %0 = stablehlo.add %x, %y : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @add_element_type(%x: tensor<2xf32>, %y: tensor<2xf64>) {
  // expected-error@below {{'stablehlo.add' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = stablehlo.add %x, %y : (tensor<2xf32>, tensor<2xf64>) -> tensor<2xf32>
  return
}

// -----

func.func @add_rank(%x: tensor<2xf32>, %y: tensor<f32>) {
  // expected-error@below {{'stablehlo.add' op operand 1 has rank 0, operand 0 has rank 1}}
  %0 = stablehlo.add %x, %y : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @add_dynamic_dims_meet(%x: tensor<?xf32>, %y: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.add' op result 0 has size 3 in dim 0, operand 0 has size 2}}
  %0 = stablehlo.add %x, %y : (tensor<?xf32>, tensor<2xf32>) -> tensor<3xf32>
  return
}

// -----

// add_c2
func.func @add_c2(%x: tensor<1x!quant.uniform<i8:f32, 1.0:17>>) {
  // expected-error@below {{'stablehlo.add' op result 0 is not quantized, operand 0 is}}
  %0 = stablehlo.add %x, %x : (tensor<1x!quant.uniform<i8:f32, 1.0:17>>, tensor<1x!quant.uniform<i8:f32, 1.0:17>>) -> tensor<1xf32>
  return
}

// -----

func.func @negate_bool(%x: tensor<2xi1>) {
  // expected-error@below {{'stablehlo.negate' op operand #0 must be tensor of integer, floating-point, complex or quantized type, but got 'tensor<2xi1>'}}
  %0 = stablehlo.negate %x : tensor<2xi1>
  return
}

// -----

// abs_c2
func.func @abs_c2(%x: tensor<2xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.abs' op result 0 has element type 'f64', operand 0 has 'complex<f32>'}}
  %0 = stablehlo.abs %x : (tensor<2xcomplex<f32>>) -> tensor<2xf64>
  return
}

// -----

func.func @function_type(%x: tensor<2xf32>) {
  // expected-error@below {{custom op 'stablehlo.add' function type has 1 inputs and 1 results, the op has 2 operands and 1 result}}
  %0 = stablehlo.add %x, %x : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// reduce_precision_c2
func.func @reduce_precision_c2(%x: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.reduce_precision' op exponent_bits is 0; it is at least 1}}
  %0 = stablehlo.reduce_precision %x, format = e0m10 : tensor<2xf32>
  return
}

// -----

// reduce_precision_c3
func.func @reduce_precision_c3(%x: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.reduce_precision' op mantissa_bits is -1; it is at least 0}}
  %0 = "stablehlo.reduce_precision"(%x) <{exponent_bits = 5 : i32, mantissa_bits = -1 : i32}> : (tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_precision_format(%x: tensor<2xf32>) {
  // expected-error@below {{custom op 'stablehlo.reduce_precision' expected a format such as e5m10, found 'm10e5'}}
  %0 = stablehlo.reduce_precision %x, format = m10e5 : tensor<2xf32>
  return
}

// -----

// bitcast_convert_c1
func.func @bitcast_convert_c1(%x: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.bitcast_convert' op result 0 has size 3 in its last dim, expected 4}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2x3xi8>
  return
}

// -----

// bitcast_convert_c2
func.func @bitcast_convert_c2(%x: tensor<2xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.bitcast_convert' op operand 0 has element type 'complex<f32>', result 0 has 'i64'; only one of them is complex}}
  %0 = stablehlo.bitcast_convert %x : (tensor<2xcomplex<f32>>) -> tensor<2xi64>
  return
}

// -----

// complex_c3
func.func @complex_c3(%x: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.complex' op result 0 has element type 'complex<f64>', operand 0 has 'f32'}}
  %0 = stablehlo.complex %x, %x : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xcomplex<f64>>
  return
}

// -----

// compare_c3
func.func @compare_c3(%x: tensor<2xi32>) {
  // expected-error@below {{'stablehlo.compare' op compare_type is UNSIGNED, the operands have element type 'i32'}}
  %0 = stablehlo.compare LT, %x, %x, UNSIGNED : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

func.func @compare_direction(%x: tensor<2xi32>) {
  // expected-error@below {{custom op 'stablehlo.compare' 'LESS' is no comparison direction}}
  %0 = stablehlo.compare LESS, %x, %x : (tensor<2xi32>, tensor<2xi32>) -> tensor<2xi1>
  return
}

// -----

// clamp_c1
func.func @clamp_c1(%x: tensor<2xf32>, %m: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.clamp' op operand 0 has size 3 in dim 0, operand 1 has size 2}}
  %0 = stablehlo.clamp %m, %x, %x : (tensor<3xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// -----

// clamp_c3
func.func @clamp_c3(%x: tensor<2xf32>, %m: tensor<f64>) {
  // expected-error@below {{'stablehlo.clamp' op operand 2 has element type 'f64', operand 1 has 'f32'}}
  %0 = stablehlo.clamp %x, %x, %m : (tensor<2xf32>, tensor<2xf32>, tensor<f64>) -> tensor<2xf32>
  return
}

// -----

// select_c1
func.func @select_c1(%p: tensor<3xi1>, %x: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.select' op operand 0 has size 3 in dim 0, operand 1 has size 2}}
  %0 = stablehlo.select %p, %x, %x : tensor<3xi1>, tensor<2xf32>
  return
}

// -----

// select_c2
func.func @select_c2(%p: tensor<i1>, %x: tensor<2xf32>, %y: tensor<2xi32>) {
  // expected-error@below {{'stablehlo.select' op operand 2 has element type 'i32', operand 1 has 'f32'}}
  %0 = stablehlo.select %p, %x, %y : (tensor<i1>, tensor<2xf32>, tensor<2xi32>) -> tensor<2xf32>
  return
}

// -----

func.func @result_accuracy_mode(%x: tensor<2xf32>) {
  // expected-error@below {{mode is HIGHEST and a tolerance is given; tolerances need mode TOLERANCE}}
  %0 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<ulps = 2, mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>
  return
}

// -----

// abs_c1
func.func @abs_c1(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.abs' op result 0 has size 4 in dim 1, operand 0 has size 3}}
  %0 = "stablehlo.abs"(%x) : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

// imag_c1
func.func @imag_c1(%x: tensor<2x3xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.imag' op result 0 has size 4 in dim 1, operand 0 has size 3}}
  %0 = "stablehlo.imag"(%x) : (tensor<2x3xcomplex<f32>>) -> tensor<2x4xf32>
  return
}

// -----

// imag_c2
func.func @imag_c2(%x: tensor<2x3xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.imag' op result 0 has element type 'f64', operand 0 has 'complex<f32>'}}
  %0 = "stablehlo.imag"(%x) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf64>
  return
}

// -----

// real_c1
func.func @real_c1(%x: tensor<2x3xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.real' op result 0 has size 3 in dim 0, operand 0 has size 2}}
  %0 = "stablehlo.real"(%x) : (tensor<2x3xcomplex<f32>>) -> tensor<3x3xf32>
  return
}

// -----

// real_c2
func.func @real_c2(%x: tensor<2x3xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.real' op result 0 has element type 'f64', operand 0 has 'complex<f32>'}}
  %0 = "stablehlo.real"(%x) : (tensor<2x3xcomplex<f32>>) -> tensor<2x3xf64>
  return
}

// -----

// is_finite_c1
func.func @is_finite_c1(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.is_finite' op result 0 has size 4 in dim 1, operand 0 has size 3}}
  %0 = "stablehlo.is_finite"(%x) : (tensor<2x3xf32>) -> tensor<2x4xi1>
  return
}

// -----

// convert_c1
func.func @convert_c1(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.convert' op result 0 has size 4 in dim 1, operand 0 has size 3}}
  %0 = "stablehlo.convert"(%x) : (tensor<2x3xf32>) -> tensor<2x4xi32>
  return
}

// -----

// compare_c1
func.func @compare_c1(%x: tensor<2x3xf32>, %y: tensor<2x3xf64>) {
  // expected-error@below {{'stablehlo.compare' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xi1>
  return
}

// -----

// compare_c2
func.func @compare_c2(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.compare' op result 0 has size 4 in dim 1, operand 0 has size 3}}
  %0 = "stablehlo.compare"(%x, %y) <{comparison_direction = #stablehlo<comparison_direction EQ>}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xi1>
  return
}

// -----

// complex_c1
func.func @complex_c1(%x: tensor<2x3xf32>, %y: tensor<2x3xf64>) {
  // expected-error@below {{'stablehlo.complex' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.complex"(%x, %y) : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<2x3xcomplex<f32>>
  return
}

// -----

// complex_c2
func.func @complex_c2(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.complex' op result 0 has size 3 in dim 0, operand 0 has size 2}}
  %0 = "stablehlo.complex"(%x, %y) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x3xcomplex<f32>>
  return
}

// -----

// clamp_c2
func.func @clamp_c2(%x: tensor<2x3xf32>, %y: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.clamp' op operand 2 has rank 1, operand 1 has rank 2}}
  %0 = "stablehlo.clamp"(%x, %x, %y) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// clamp_c4
func.func @clamp_c4(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.clamp' op result 0 has size 4 in dim 1, operand 1 has size 3}}
  %0 = "stablehlo.clamp"(%x, %x, %x) : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

// reduce_precision_c1
func.func @reduce_precision_c1(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.reduce_precision' op result 0 has size 4 in dim 1, operand 0 has size 3}}
  %0 = "stablehlo.reduce_precision"(%x) <{exponent_bits = 5 : i32, mantissa_bits = 10 : i32}> : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

// add_c3, c4
func.func @add_c3(%x: tensor<2x3x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error@below {{'stablehlo.add' op result 0 has element type '!quant.uniform<i16:f32, 1.000000e+00>', operand 0 has '!quant.uniform<i8:f32, 1.000000e+00>'}}
  %0 = "stablehlo.add"(%x, %x) : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>, tensor<2x3x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x3x!quant.uniform<i16:f32, 1.0>>
  return
}

// -----

// add_c6, c7
func.func @add_c6(%x: tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 1.0, 1.0}>>, %y: tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 1.0}>>) {
  // expected-error@below {{'stablehlo.add' op operand 1 is quantized along dim 0, operand 0 along dim 1}}
  %0 = "stablehlo.add"(%x, %y) : (tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 1.0, 1.0}>>, tensor<2x3x!quant.uniform<i8:f32:0, {1.0, 1.0}>>) -> tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 1.0, 1.0}>>
  return
}

// -----

// add_c5
func.func @add_c5(%x: tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 1.0, 1.0}>>, %y: tensor<2x3x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error@below {{'stablehlo.add' op result 0 is not quantized along a dim, an operand is}}
  %0 = "stablehlo.add"(%x, %y) : (tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 1.0, 1.0}>>, tensor<2x3x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x3x!quant.uniform<i8:f32, 1.0>>
  return
}

// -----

// A static size is within the bound of the other type.
func.func @size_above_bound(%x: tensor<?xf32, #stablehlo.bounds<4>>) {
  // expected-error@below {{'stablehlo.add' op result 0 has size 5 in dim 0, operand 0 has at most 4}}
  %0 = "stablehlo.add"(%x, %x) : (tensor<?xf32, #stablehlo.bounds<4>>, tensor<?xf32, #stablehlo.bounds<4>>) -> tensor<5xf32>
  return
}

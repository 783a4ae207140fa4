// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// convolution_c1
func.func @convolution_c1(%x: tensor<4x8x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op operand 0 has rank 3, operand 1 has rank 4; both have one rank of at least 2}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c5
func.func @convolution_c5(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op lhs_dilation has 1 entries, the number of windowed dims is 2}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1>}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c6
func.func @convolution_c6(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op lhs_dilation has 0 at 1; it is at least 1}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, lhs_dilation = array<i64: 1, 0>}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c7
func.func @convolution_c7(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op rhs_dilation has 3 entries, the number of windowed dims is 2}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 1, 1, 1>}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c8
func.func @convolution_c8(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op rhs_dilation has 0 at 0; it is at least 1}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, rhs_dilation = array<i64: 0, 1>}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c11
func.func @convolution_c11(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op operand 0 has size 6 in dim 3, no multiple of feature_group_count 4}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 4 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c12
func.func @convolution_c12(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op input spatial dims has 1 entries, the number of windowed dims is 2}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw
     input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1],
     kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
     output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]
  >, feature_group_count = 1 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c15
func.func @convolution_c15(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op operand 1 has size 5 in dim 3, no multiple of batch_group_count 2}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 2 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c17
func.func @convolution_c17(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op kernel spatial dims has 1 entries, the number of windowed dims is 2}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw
     input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
     kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0],
     output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]
  >, feature_group_count = 1 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c18
func.func @convolution_c18(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op kernel dims has 2 twice}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw
     input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
     kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 2, kernel_spatial_dimensions = [0, 1],
     output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1, 2]
  >, feature_group_count = 1 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c19
func.func @convolution_c19(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op output spatial dims has 1 entries, the number of windowed dims is 2}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw
     input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
     kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
     output_batch_dimension = 0, output_feature_dimension = 3, output_spatial_dimensions = [1]
  >, feature_group_count = 1 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c20
func.func @convolution_c20(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op output dims has 0 twice}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<raw
     input_batch_dimension = 0, input_feature_dimension = 3, input_spatial_dimensions = [1, 2],
     kernel_input_feature_dimension = 2, kernel_output_feature_dimension = 3, kernel_spatial_dimensions = [0, 1],
     output_batch_dimension = 0, output_feature_dimension = 0, output_spatial_dimensions = [1, 2]
  >, feature_group_count = 1 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c21
func.func @convolution_c21(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op feature_group_count is 0 and batch_group_count is 1; both are at least 1}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 0 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c24
func.func @convolution_c24(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op precision_config has 1 entries, the number of operands is 2}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision HIGH>]}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c26
func.func @convolution_c26(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op result 0 has rank 3, expected 4}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8xf32>
  return
}

// -----

// convolution_c27
func.func @convolution_c27(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf64>) {
  // expected-error@below {{'stablehlo.convolution' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf64>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c28
func.func @convolution_c28(%x: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op has quantized and other element types, '!quant.uniform<i8:f32, 1.000000e+00>', 'f32' and 'f32'; quantized are all, or operand 1 alone}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c29
func.func @convolution_c29(%x: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %k: tensor<3x2x6x5x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error@below {{'stablehlo.convolution' op result 0 is quantized along a dim, operand 1 as a whole}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<4x6x8x5x!quant.uniform<i8:f32:3, {1.0, 1.0, 1.0, 1.0, 1.0}>>
  return
}

// -----

// convolution_c30, c31, c32
func.func @convolution_c30(%x: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %k: tensor<3x2x6x5x!quant.uniform<i8:f64, 1.0>>) {
  // expected-error@below {{'stablehlo.convolution' op computes in 'f32', 'f64' and 'f32' for operands 0, 1 and the result; expected one type}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x5x!quant.uniform<i8:f64, 1.0>>) -> tensor<4x6x8x5x!quant.uniform<i8:f32, 1.0>>
  return
}

// -----

func.func @stored_otherwise(%x: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %k: tensor<3x2x6x5x!quant.uniform<i16:f32, 1.0>>) {
  // expected-error@below {{'stablehlo.convolution' op operand 1 is stored as 'i16', operand 0 as 'i8'}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x5x!quant.uniform<i16:f32, 1.0>>) -> tensor<4x6x8x5x!quant.uniform<i8:f32, 1.0>>
  return
}

// -----

func.func @scale_of_the_kernel(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) {
  // expected-error@below {{'stablehlo.convolution' op operand 1 is quantized along dim 1, expected 3, the kernel's dim of output features}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5x!quant.uniform<i8:f32:1, {1.0, 2.0}>>) -> tensor<4x6x8x5xf32>
  return
}

// -----

func.func @scale_of_the_result(%x: tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, %k: tensor<3x2x6x5x!quant.uniform<i8:f32:3, {1.0, 2.0, 1.0, 1.0, 1.0}>>) {
  // expected-error@below {{'stablehlo.convolution' op result 0 is quantized along dim 0, expected 3, its dim of features}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x9x6x!quant.uniform<i8:f32, 1.0>>, tensor<3x2x6x5x!quant.uniform<i8:f32:3, {1.0, 2.0, 1.0, 1.0, 1.0}>>) -> tensor<4x6x8x5x!quant.uniform<i8:f32:0, {1.0, 2.0, 1.0, 1.0}>>
  return
}

// -----

// convolution_c33, c34
func.func @convolution_c33(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5x!quant.uniform<i8:f64, 1.0>>) {
  // expected-error@below {{'stablehlo.convolution' op computes in 'f32', 'f64' and 'f32' for operands 0, 1 and the result; expected one type}}
  %0 = "stablehlo.convolution"(%x, %k) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<4x8x9x6xf32>, tensor<3x2x6x5x!quant.uniform<i8:f64, 1.0>>) -> tensor<4x6x8x5xf32>
  return
}

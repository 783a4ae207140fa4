// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// broadcast_in_dim_c2
func.func @broadcast_in_dim_c2(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.broadcast_in_dim' op broadcast_dimensions has 1 entries, operand 0 has rank 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// broadcast_in_dim_c3
func.func @broadcast_in_dim_c3(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.broadcast_in_dim' op broadcast_dimensions has -1, result 0 has rank 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, -1] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// broadcast_in_dim_c4
func.func @broadcast_in_dim_c4(%x: tensor<2x2xf32>) {
  // expected-error@below {{'stablehlo.broadcast_in_dim' op broadcast_dimensions has 1 twice}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 1] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

// broadcast_in_dim_c5
func.func @broadcast_in_dim_c5(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.broadcast_in_dim' op operand 0 has size 3 in dim 1, result 0 has size 4 in dim 2}}
  %0 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

// reshape_c2
func.func @reshape_c2(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.reshape' op operand 0 has 6 elements, result 0 has 5}}
  %0 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @reshape_overflow(%x: tensor<4294967296x4294967296xf32>) {
  // expected-error@below {{'stablehlo.reshape' op number of elements of operand 0 is over 2^63}}
  %0 = stablehlo.reshape %x : (tensor<4294967296x4294967296xf32>) -> tensor<5xf32>
  return
}

// -----

// transpose_c2
func.func @transpose_c2(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.transpose' op permutation has 0 twice}}
  %0 = stablehlo.transpose %x, dims = [0, 0] : (tensor<2x3xf32>) -> tensor<2x2xf32>
  return
}

// -----

// transpose_c3
func.func @transpose_c3(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.transpose' op result 0 has size 2 in dim 0, expected 3}}
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// reverse_c2
func.func @reverse_c2(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.reverse' op dimensions has 1 twice}}
  %0 = stablehlo.reverse %x, dims = [1, 1] : tensor<2x3xf32>
  return
}

// -----

// reverse_c3
func.func @reverse_c3(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.reverse' op dimensions has 2, operand 0 has rank 2}}
  %0 = stablehlo.reverse %x, dims = [2] : tensor<2x3xf32>
  return
}

// -----

// slice_c2
func.func @slice_c2(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.slice' op start_indices has 1 entries, operand 0 has rank 2}}
  %0 = stablehlo.slice %x [0:1] : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

// slice_c3
func.func @slice_c3(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.slice' op slice of dim 1 runs to 4, operand 0 has size 3}}
  %0 = stablehlo.slice %x [0:1, 0:4] : (tensor<2x3xf32>) -> tensor<1x4xf32>
  return
}

// -----

// slice_c3
func.func @slice_c3_order(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.slice' op slice of dim 1 runs from 2 to 1}}
  %0 = stablehlo.slice %x [0:1, 2:1] : (tensor<2x3xf32>) -> tensor<1x4xf32>
  return
}

// -----

// slice_c4
func.func @slice_c4(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.slice' op strides has 0 at 1; it is at least 1}}
  %0 = stablehlo.slice %x [0:1, 0:3:0] : (tensor<2x3xf32>) -> tensor<1x4xf32>
  return
}

// -----

// slice_c5
func.func @slice_c5(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.slice' op result 0 has size 3 in dim 1, expected 2}}
  %0 = stablehlo.slice %x [0:1, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x3xf32>
  return
}

// -----

// concatenate_c2
func.func @concatenate_c2(%x: tensor<4x2xf32>, %y: tensor<3x5xf32>) {
  // expected-error@below {{'stablehlo.concatenate' op operand 1 has size 3 in dim 0, operand 0 has size 4}}
  %0 = stablehlo.concatenate %x, %y, dim = 1 : (tensor<4x2xf32>, tensor<3x5xf32>) -> tensor<4x7xf32>
  return
}

// -----

// concatenate_c3
func.func @concatenate_c3() {
  // expected-error@below {{'stablehlo.concatenate' op has no operands}}
  %0 = "stablehlo.concatenate"() <{dimension = 0 : i64}> : () -> tensor<4xf32>
  return
}

// -----

// concatenate_c4
func.func @concatenate_c4(%x: tensor<4x2xf32>) {
  // expected-error@below {{'stablehlo.concatenate' op dimension is 2, operand 0 has rank 2}}
  %0 = stablehlo.concatenate %x, dim = 2 : (tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

// concatenate_c6
func.func @concatenate_c6(%x: tensor<4x2xf32>) {
  // expected-error@below {{'stablehlo.concatenate' op result 0 has size 4 in dim 0, expected 8}}
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<4x2xf32>, tensor<4x2xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @concatenate_overflow(%x: tensor<9223372036854775807xi8>) {
  // expected-error@below {{'stablehlo.concatenate' op size of the result in dim 0 is over 2^63}}
  %0 = stablehlo.concatenate %x, %x, dim = 0 : (tensor<9223372036854775807xi8>, tensor<9223372036854775807xi8>) -> tensor<?xi8>
  return
}

// -----

// pad_c1
func.func @pad_c1(%x: tensor<2xf32>, %c: tensor<f64>) {
  // expected-error@below {{'stablehlo.pad' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = stablehlo.pad %x, %c, low = [0], high = [0], interior = [0] : (tensor<2xf32>, tensor<f64>) -> tensor<2xf32>
  return
}

// -----

// pad_c2
func.func @pad_c2(%x: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.pad' op edge_padding_low has 2 entries, operand 0 has rank 1}}
  %0 = stablehlo.pad %x, %c, low = [0, 1], high = [0], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// pad_c3
func.func @pad_c3(%x: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.pad' op interior_padding has -1 at 0; it is at least 0}}
  %0 = stablehlo.pad %x, %c, low = [0], high = [0], interior = [-1] : (tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// pad_c4
func.func @pad_c4(%x: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.pad' op result 0 has size 5 in dim 0, expected 6}}
  %0 = stablehlo.pad %x, %c, low = [-1], high = [3], interior = [2] : (tensor<2xf32>, tensor<f32>) -> tensor<5xf32>
  return
}

// -----

func.func @pad_negative(%x: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.pad' op padded size of dim 0 is negative}}
  %0 = stablehlo.pad %x, %c, low = [-2], high = [-1], interior = [0] : (tensor<2xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

func.func @pad_overflow(%x: tensor<2xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.pad' op padded size of dim 0 is over 2^63}}
  %0 = stablehlo.pad %x, %c, low = [9223372036854775807], high = [9223372036854775807], interior = [9223372036854775807] : (tensor<2xf32>, tensor<f32>) -> tensor<0xf32>
  return
}

// -----

// expected-error@below {{type has rank 2 and 1 bounds}}
func.func @bounds_rank(%x: tensor<?x3xf32, #stablehlo.bounds<4>>) {
  return
}

// -----

// expected-error@below {{dim 1 has size 3 and bound 5; only dynamic dims are bounded}}
func.func @bounds_static(%x: tensor<?x3xf32, #stablehlo.bounds<4, 5>>) {
  return
}

// -----

func.func @broadcast_elements(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.broadcast' op result 0 has element type 'i32', operand 0 has 'f32'}}
  %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<3xf32>) -> tensor<2x3xi32>
  return
}

// -----

func.func @broadcast_sizes(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.broadcast' op broadcast_sizes has -2 at 0; it is at least 0}}
  %0 = stablehlo.broadcast %x, sizes = [-2] : (tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @broadcast_result(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.broadcast' op result 0 has size 3 in dim 0, expected 2}}
  %0 = stablehlo.broadcast %x, sizes = [2] : (tensor<3xf32>) -> tensor<3x2xf32>
  return
}

// -----

// broadcast_in_dim_c1
func.func @broadcast_in_dim_c1(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.broadcast_in_dim' op result 0 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<2x3xf64>
  return
}

// -----

// broadcast_in_dim_c6
func.func @broadcast_in_dim_c6(%x: tensor<3x!quant.uniform<i8:f32:0, {1.0, 2.0, 1.0}>>) {
  // expected-error@below {{'stablehlo.broadcast_in_dim' op result 0 is quantized along dim 0, operand 0 along dim 0, which goes to dim 1}}
  %0 = "stablehlo.broadcast_in_dim"(%x) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3x!quant.uniform<i8:f32:0, {1.0, 2.0, 1.0}>>) -> tensor<3x3x!quant.uniform<i8:f32:0, {1.0, 2.0, 1.0}>>
  return
}

// -----

// concatenate_c1
func.func @concatenate_c1(%x: tensor<2x3xf32>, %y: tensor<2x3xf64>) {
  // expected-error@below {{'stablehlo.concatenate' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.concatenate"(%x, %y) <{dimension = 0 : i64}> : (tensor<2x3xf32>, tensor<2x3xf64>) -> tensor<4x3xf32>
  return
}

// -----

// concatenate_c5
func.func @concatenate_c5(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.concatenate' op result 0 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.concatenate"(%x, %x) <{dimension = 0 : i64}> : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<4x3xf64>
  return
}

// -----

// reshape_c1
func.func @reshape_c1(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.reshape' op result 0 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.reshape"(%x) : (tensor<2x3xf32>) -> tensor<6xf64>
  return
}

// -----

// reshape_c3
func.func @reshape_c3(%x: tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 1.0}>>) {
  // expected-error@below {{'stablehlo.reshape' op result 0 is quantized along dim 0, operand 0 along dim 1}}
  %0 = "stablehlo.reshape"(%x) : (tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 1.0}>>) -> tensor<3x2x!quant.uniform<i8:f32:0, {1.0, 2.0, 1.0}>>
  return
}

// -----

// reverse_c1
func.func @reverse_c1(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.reverse' op result 0 has size 4 in dim 1, operand 0 has size 3}}
  %0 = "stablehlo.reverse"(%x) <{dimensions = array<i64: 0>}> : (tensor<2x3xf32>) -> tensor<2x4xf32>
  return
}

// -----

// slice_c1
func.func @slice_c1(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.slice' op result 0 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.slice"(%x) <{limit_indices = array<i64: 2>, start_indices = array<i64: 0>, strides = array<i64: 1>}> : (tensor<3xf32>) -> tensor<2xf64>
  return
}

// -----

// transpose_c1
func.func @transpose_c1(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.transpose' op result 0 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3xf32>) -> tensor<3x2xf64>
  return
}

// -----

// transpose_c4
func.func @transpose_c4(%x: tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 1.0}>>) {
  // expected-error@below {{'stablehlo.transpose' op result 0 has other scales or zero points than operand 0}}
  %0 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 1.0}>>) -> tensor<3x2x!quant.uniform<i8:f32:1, {1.0, 2.0}>>
  return
}

// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// dynamic_broadcast_in_dim_c1
func.func @dynamic_broadcast_in_dim_c1(%x: tensor<2x3xf32>, %s: tensor<3xi64>) {
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op result 0 has element type 'i32', operand 0 has 'f32'}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 2] : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x?x3xi32>
  return
}

// -----

// dynamic_broadcast_in_dim_c2
func.func @dynamic_broadcast_in_dim_c2(%x: tensor<2x3xf32>, %s: tensor<3xi64>) {
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op broadcast_dimensions has 1 entries, operand 0 has rank 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x?x3xf32>
  return
}

// -----

// dynamic_broadcast_in_dim_c3
func.func @dynamic_broadcast_in_dim_c3(%x: tensor<2x3xf32>, %s: tensor<3xi64>) {
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op broadcast_dimensions has 3, result 0 has rank 3}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 3] : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x?x3xf32>
  return
}

// -----

// dynamic_broadcast_in_dim_c4
func.func @dynamic_broadcast_in_dim_c4(%x: tensor<2x2xf32>, %s: tensor<3xi64>) {
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op broadcast_dimensions has 0 twice}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 0] : (tensor<2x2xf32>, tensor<3xi64>) -> tensor<2x?x3xf32>
  return
}

// -----

// dynamic_broadcast_in_dim_c5
func.func @dynamic_broadcast_in_dim_c5(%x: tensor<2x3xf32>, %s: tensor<3xi64>) {
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op operand 0 has size 3 in dim 1, result 0 has size 4 in dim 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 2] : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x?x4xf32>
  return
}

// -----

// dynamic_broadcast_in_dim_c6
func.func @dynamic_broadcast_in_dim_c6(%x: tensor<2x!quant.uniform<i8:f32:0, {0.1:1, 0.2:2}>>, %s: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op result 0 is quantized along dim 1, operand 0 along dim 0, which goes to dim 0}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0] : (tensor<2x!quant.uniform<i8:f32:0, {0.1:1, 0.2:2}>>, tensor<2xi64>) -> tensor<2x2x!quant.uniform<i8:f32:1, {0.1:1, 0.2:2}>>
  return
}

// -----

// dynamic_broadcast_in_dim_c7
func.func @dynamic_broadcast_in_dim_c7(%x: tensor<2x3xf32>, %s: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op operand 1 has 2 entries, result 0 has rank 3}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 2] : (tensor<2x3xf32>, tensor<2xi64>) -> tensor<2x?x3xf32>
  return
}

// -----

// dynamic_broadcast_in_dim_c7
func.func @dynamic_broadcast_in_dim_c7_constant(%x: tensor<3xf32>) {
  %s = stablehlo.constant dense<[4, 3]> : tensor<2xi64>
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op operand 1 has 4 for dim 0, result 0 has size 5}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1] : (tensor<3xf32>, tensor<2xi64>) -> tensor<5x3xf32>
  return
}

// -----

// dynamic_broadcast_in_dim_c8
func.func @dynamic_broadcast_in_dim_c8(%x: tensor<2x3xf32>, %s: tensor<3xi64>) {
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op list of known expanding and nonexpanding dims has 1 twice}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 2] {known_expanding_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x?x3xf32>
  return
}

// -----

// dynamic_broadcast_in_dim_c9
func.func @dynamic_broadcast_in_dim_c9(%x: tensor<2x3xf32>, %s: tensor<3xi64>) {
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op list of known expanding and nonexpanding dims has 2, operand 0 has rank 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 2] {known_expanding_dimensions = array<i64: 2>} : (tensor<2x3xf32>, tensor<3xi64>) -> tensor<2x?x3xf32>
  return
}

// -----

// dynamic_iota_c1
func.func @dynamic_iota_c1(%s: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.dynamic_iota' op iota_dimension is 2, result 0 has rank 2}}
  %0 = stablehlo.dynamic_iota %s, dim = 2 : (tensor<2xi64>) -> tensor<?x3xi32>
  return
}

// -----

// dynamic_iota_c2
func.func @dynamic_iota_c2(%s: tensor<3xi64>) {
  // expected-error@below {{'stablehlo.dynamic_iota' op operand 0 has 3 entries, result 0 has rank 2}}
  %0 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<3xi64>) -> tensor<?x3xi32>
  return
}

// -----

func.func @dynamic_iota_negative() {
  %s = stablehlo.constant dense<-1> : tensor<1xi64>
  // expected-error@below {{'stablehlo.dynamic_iota' op operand 0 has -1 at 0; it is at least 0}}
  %0 = stablehlo.dynamic_iota %s, dim = 0 : (tensor<1xi64>) -> tensor<?xi32>
  return
}

// -----

// dynamic_pad_c1
func.func @dynamic_pad_c1(%x: tensor<2xf32>, %v: tensor<i32>, %p: tensor<1xi64>) {
  // expected-error@below {{'stablehlo.dynamic_pad' op operand 1 has element type 'i32', operand 0 has 'f32'}}
  %0 = stablehlo.dynamic_pad %x, %v, %p, %p, %p : (tensor<2xf32>, tensor<i32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @dynamic_pad_value(%x: tensor<2xf32>, %v: tensor<1xf32>, %p: tensor<1xi64>) {
  // expected-error@below {{'stablehlo.dynamic_pad' op operand 1 has rank 1, expected 0}}
  %0 = stablehlo.dynamic_pad %x, %v, %p, %p, %p : (tensor<2xf32>, tensor<1xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

// dynamic_pad_c2
func.func @dynamic_pad_c2(%x: tensor<2xf32>, %v: tensor<f32>, %p: tensor<1xi64>, %q: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.dynamic_pad' op operand 3 has 2 entries, operand 0 has rank 1}}
  %0 = stablehlo.dynamic_pad %x, %v, %p, %q, %p : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<2xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

// dynamic_pad_c3
func.func @dynamic_pad_c3(%x: tensor<2xf32>, %v: tensor<f32>, %p: tensor<1xi64>) {
  %n = stablehlo.constant dense<-1> : tensor<1xi64>
  // expected-error@below {{'stablehlo.dynamic_pad' op operand 4 has -1 at 0; it is at least 0}}
  %0 = stablehlo.dynamic_pad %x, %v, %p, %p, %n : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

// dynamic_pad_c4
func.func @dynamic_pad_c4(%x: tensor<2xf32>, %v: tensor<f32>) {
  %n = stablehlo.constant dense<1> : tensor<1xi64>
  // expected-error@below {{'stablehlo.dynamic_pad' op result 0 has size 4 in dim 0, expected 5}}
  %0 = stablehlo.dynamic_pad %x, %v, %n, %n, %n : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<4xf32>
  return
}

// -----

func.func @dynamic_pad_negative(%x: tensor<2xf32>, %v: tensor<f32>) {
  %n = stablehlo.constant dense<-2> : tensor<1xi64>
  %z = stablehlo.constant dense<0> : tensor<1xi64>
  // expected-error@below {{'stablehlo.dynamic_pad' op padded size of dim 0 is negative}}
  %0 = stablehlo.dynamic_pad %x, %v, %n, %n, %z : (tensor<2xf32>, tensor<f32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

// dynamic_reshape_c1
func.func @dynamic_reshape_c1(%x: tensor<6xf32>, %s: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.dynamic_reshape' op result 0 has element type 'i32', operand 0 has 'f32'}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<2x?xi32>
  return
}

// -----

// dynamic_reshape_c2
func.func @dynamic_reshape_c2(%x: tensor<6xf32>, %s: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.dynamic_reshape' op operand 0 has 6 elements, result 0 has 8}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<2x4xf32>
  return
}

// -----

// dynamic_reshape_c2
func.func @dynamic_reshape_c2_constant(%x: tensor<6xf32>) {
  %s = stablehlo.constant dense<[2, 4]> : tensor<2xi64>
  // expected-error@below {{'stablehlo.dynamic_reshape' op operand 0 has 6 elements, the shape in operand 1 has 8}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<2xi64>) -> tensor<?x?xf32>
  return
}

// -----

// dynamic_reshape_c4
func.func @dynamic_reshape_c4(%x: tensor<6xf32>, %s: tensor<3xi64>) {
  // expected-error@below {{'stablehlo.dynamic_reshape' op operand 1 has 3 entries, result 0 has rank 2}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<3xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @dynamic_reshape_rank(%x: tensor<6xf32>, %s: tensor<?xi64>) {
  // expected-error@below {{'stablehlo.dynamic_reshape' op operand 1 has an unknown number of entries, result 0 has rank 2}}
  %0 = stablehlo.dynamic_reshape %x, %s : (tensor<6xf32>, tensor<?xi64>) -> tensor<2x?xf32>
  return
}

// -----

func.func @real_dynamic_slice_elements(%x: tensor<6xf32>, %s: tensor<1xi64>) {
  // expected-error@below {{'stablehlo.real_dynamic_slice' op result 0 has element type 'i32', operand 0 has 'f32'}}
  %0 = stablehlo.real_dynamic_slice %x, %s, %s, %s : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?xi32>
  return
}

// -----

func.func @real_dynamic_slice_count(%x: tensor<6xf32>, %s: tensor<1xi64>, %l: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.real_dynamic_slice' op operand 2 has 2 entries, operand 0 has rank 1}}
  %0 = stablehlo.real_dynamic_slice %x, %s, %l, %s : (tensor<6xf32>, tensor<1xi64>, tensor<2xi64>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @real_dynamic_slice_types(%x: tensor<6xf32>, %s: tensor<1xi64>, %l: tensor<1xi32>) {
  // expected-error@below {{'stablehlo.real_dynamic_slice' op operand 2 has type 'tensor<1xi32>', operand 1 has type 'tensor<1xi64>'}}
  %0 = stablehlo.real_dynamic_slice %x, %s, %l, %s : (tensor<6xf32>, tensor<1xi64>, tensor<1xi32>, tensor<1xi64>) -> tensor<?xf32>
  return
}

// -----

func.func @real_dynamic_slice_rank(%x: tensor<6xf32>, %s: tensor<1xi64>) {
  // expected-error@below {{'stablehlo.real_dynamic_slice' op result 0 has rank 2, operand 0 has rank 1}}
  %0 = stablehlo.real_dynamic_slice %x, %s, %s, %s : (tensor<6xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<?x?xf32>
  return
}

// -----

// get_dimension_size_c1
func.func @get_dimension_size_c1(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.get_dimension_size' op dimension is 2, operand 0 has rank 2}}
  %0 = stablehlo.get_dimension_size %x, dim = 2 : (tensor<2x3xf32>) -> tensor<i32>
  return
}

// -----

func.func @set_dimension_size_dim(%x: tensor<2x3xf32>, %n: tensor<i32>) {
  // expected-error@below {{'stablehlo.set_dimension_size' op dimension is -1, operand 0 has rank 2}}
  %0 = stablehlo.set_dimension_size %x, %n, dim = -1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xf32>
  return
}

// -----

func.func @set_dimension_size_shape(%x: tensor<2x3xf32>, %n: tensor<i32>) {
  // expected-error@below {{'stablehlo.set_dimension_size' op result 0 has size 3 in dim 0, expected 2}}
  %0 = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<3x?xf32>
  return
}

// -----

func.func @set_dimension_size_elements(%x: tensor<2x3xf32>, %n: tensor<i32>) {
  // expected-error@below {{'stablehlo.set_dimension_size' op result 0 has element type 'i32', operand 0 has 'f32'}}
  %0 = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<2x3xf32>, tensor<i32>) -> tensor<2x?xi32>
  return
}

// -----

// dynamic_conv_c1
func.func @dynamic_conv_c1(%l: tensor<1x8x2xf32>, %r: tensor<3x3x2x4xf32>, %p: tensor<2x2xi64>) {
  // expected-error@below {{'stablehlo.dynamic_conv' op operand 0 has rank 3, operand 1 has rank 4; both have one rank of at least 2}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi64>) -> tensor<1x?x?x4xf32>
  return
}

// -----

// dynamic_conv_c3
func.func @dynamic_conv_c3(%l: tensor<1x8x8x2xf32>, %r: tensor<3x3x2x4xf32>, %p: tensor<2x2xi64>) {
  // expected-error@below {{'stablehlo.dynamic_conv' op window_strides has 0 at 1; it is at least 1}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 1, 0>}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi64>) -> tensor<1x?x?x4xf32>
  return
}

// -----

// dynamic_conv_c4
func.func @dynamic_conv_c4(%l: tensor<1x8x8x2xf32>, %r: tensor<3x3x2x4xf32>, %p: tensor<3x2xi64>) {
  // expected-error@below {{'stablehlo.dynamic_conv' op operand 2 has size 3 in dim 0, expected 2}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<3x2xi64>) -> tensor<1x?x?x4xf32>
  return
}

// -----

// dynamic_conv_c25
func.func @dynamic_conv_c25(%l: tensor<1x8x8x2xf32>, %r: tensor<3x3x2x4xf32>) {
  %p = stablehlo.constant dense<1> : tensor<2x2xi64>
  // expected-error@below {{'stablehlo.dynamic_conv' op result 0 has size 7 in dim 2, expected 8}}
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi64>) -> tensor<1x8x7x4xf32>
  return
}

// -----

// dynamic_broadcast_in_dim_c10
func.func @dynamic_broadcast_in_dim_c10(%x: tensor<3xf32>, %s: tensor<2xi32>) {
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op list of known expanding and nonexpanding dims has 1, operand 0 has rank 1}}
  %0 = "stablehlo.dynamic_broadcast_in_dim"(%x, %s) <{broadcast_dimensions = array<i64: 1>, known_nonexpanding_dimensions = array<i64: 1>}> : (tensor<3xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  return
}

// -----

// dynamic_reshape_c3
func.func @dynamic_reshape_c3(%x: tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 1.0}>>, %s: tensor<2xi32>) {
  // expected-error@below {{'stablehlo.dynamic_reshape' op result 0 is quantized along dim 0, operand 0 along dim 1}}
  %0 = "stablehlo.dynamic_reshape"(%x, %s) : (tensor<2x3x!quant.uniform<i8:f32:1, {1.0, 2.0, 1.0}>>, tensor<2xi32>) -> tensor<3x2x!quant.uniform<i8:f32:0, {1.0, 2.0, 1.0}>>
  return
}

// -----

// The operand has neither size 1 nor the size that is asked for.
func.func @dynamic_broadcast_in_dim_c5_of_constant(%x: tensor<1x3xi32>) {
  %s = stablehlo.constant dense<[2, 1, 1]> : tensor<3xi32>
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op operand 0 has size 3 in dim 1, operand 1 has 1 for dim 2}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 2] : (tensor<1x3xi32>, tensor<3xi32>) -> tensor<?x?x?xi32>
  return
}

// -----

func.func @dynamic_broadcast_in_dim_length(%x: tensor<?x?xi32>, %s: tensor<?xi64>) {
  // expected-error@below {{'stablehlo.dynamic_broadcast_in_dim' op operand 1 has no static size; expected one entry a dim of result 0}}
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [1, 2] : (tensor<?x?xi32>, tensor<?xi64>) -> tensor<7x8x9xi32>
  return
}

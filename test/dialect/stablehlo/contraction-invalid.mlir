// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// dot_general_c1
func.func @dot_general_c1(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op lhs_batching_dimensions has 2 entries, rhs_batching_dimensions has 1}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0, 1] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c2
func.func @dot_general_c2(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op lhs_contracting_dimensions has 1 entries, rhs_contracting_dimensions has 0}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c3
func.func @dot_general_c3(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op list of batching and contracting dims of operand 0 has 0 twice}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [0] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c5
func.func @dot_general_c5(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op list of batching and contracting dims of operand 0 has 3, operand 0 has rank 3}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [3] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c8
func.func @dot_general_c8(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op list of batching and contracting dims of operand 1 has -1, operand 1 has rank 3}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [-1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c9
func.func @dot_general_c9(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op batching dim 0 of operand 0 has size 2, dim 1 of operand 1 has size 4}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c10
func.func @dot_general_c10(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op contracting dim 2 of operand 0 has size 4, dim 2 of operand 1 has size 5}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c11
func.func @dot_general_c11(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op precision_config has 1 entries, the number of operands is 2}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c12
func.func @dot_general_c12(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op result 0 has size 5 in dim 1, expected 3}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x5x3xf32>
  return
}

// -----

// dot_general_c21
func.func @dot_general_c21(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op precision_config has HIGH; beside an algorithm it must be DEFAULT}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [HIGH, DEFAULT], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c22
func.func @dot_general_c22(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{custom op 'stablehlo.dot_general' lhs_component_count is 0; it is at least 1}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 0, rhs_component_count = 1, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @dot_precision_name(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{custom op 'stablehlo.dot_general' 'LOW' is no precision}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [LOW, DEFAULT] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// convolution_c2
func.func @convolution_c2(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op window_strides has 1 entries, the number of windowed dims is 2}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c3
func.func @convolution_c3(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op window_strides has 0 at 1; it is at least 1}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 0]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c4
func.func @convolution_c4(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op padding is 1x2, expected 2x2}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c9
func.func @convolution_c9(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op window_reversal has 1 entries, the number of windowed dims is 2}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {reverse = [true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c10
func.func @convolution_c10(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op operand 0 has size 4 in dim 0, no multiple of batch_group_count 3}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 3 : i64, feature_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c13
func.func @convolution_c13(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op output dims has 4, operand 0 has rank 4}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, ?, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c14
func.func @convolution_c14(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x4xf32>) {
  // expected-error@below {{'stablehlo.convolution' op operand 1 has size 6 in dim 2, expected 3: the input features over feature_group_count}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x4xf32>) -> tensor<4x6x8x4xf32>
  return
}

// -----

// convolution_c16
func.func @convolution_c16(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op operand 1 has size 5 in dim 3, no multiple of feature_group_count 2}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c22
func.func @convolution_c22(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op feature_group_count is 1 and batch_group_count is 0; both are at least 1}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 0 : i64, feature_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c23
func.func @convolution_c23(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op feature_group_count is 2 and batch_group_count is 2; one of them is 1}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 2 : i64, feature_group_count = 2 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

// convolution_c25
func.func @convolution_c25(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op result 0 has size 9 in dim 2, expected 8}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x9x5xf32>
  return
}

// -----

func.func @convolution_overflow(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{'stablehlo.convolution' op padded size of dim 0 is over 2^63}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[9223372036854775807, 9223372036854775807], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

func.func @convolution_window_key(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{custom op 'stablehlo.convolution' window key 'stride' occurs twice}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

func.func @convolution_no_batch(%x: tensor<4x8x9x6xf32>, %k: tensor<3x2x6x5xf32>) {
  // expected-error@below {{custom op 'stablehlo.convolution' no dim has role 'b'}}
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [0, 1, 2, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x8x9x6xf32>, tensor<3x2x6x5xf32>) -> tensor<4x6x8x5xf32>
  return
}

// -----

func.func @dot_rank(%a: tensor<2x3x4xf32>, %b: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.dot' op operand 0 has rank 3, expected 1 or 2}}
  %0 = stablehlo.dot %a, %b : (tensor<2x3x4xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @dot_contracted(%a: tensor<2x3xf32>, %b: tensor<4x2xf32>) {
  // expected-error@below {{'stablehlo.dot' op operand 0 has size 3 in its last dim, operand 1 has size 4 in its first dim}}
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  return
}

// -----

func.func @dot_result(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@below {{'stablehlo.dot' op result 0 has size 4 in dim 0, expected 2}}
  %0 = stablehlo.dot %a, %b : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<4x2xf32>
  return
}

// -----

func.func @dot_precision(%a: tensor<2x3xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.dot' op precision_config has 1 entries, the number of operands is 2}}
  %0 = stablehlo.dot %a, %b, precision = [HIGH] : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @einsum_form(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@below {{'stablehlo.einsum' op einsum_config is 'ab,bc', expected such as 'ab,bc->ac'}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bc" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_letters(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@below {{'stablehlo.einsum' op einsum_config is 'a1,bc->ac', expected such as 'ab,bc->ac'}}
  %0 = stablehlo.einsum %a, %b, config = "a1,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_operands(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@below {{'stablehlo.einsum' op einsum_config is 'ab->a', expected such as 'ab,bc->ac'}}
  %0 = stablehlo.einsum %a, %b, config = "ab->a" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2xf32>
  return
}

// -----

func.func @einsum_rank(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@below {{'stablehlo.einsum' op einsum_config names 3 dims for operand 0, which has rank 2}}
  %0 = stablehlo.einsum %a, %b, config = "abc,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_sizes(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@below {{'stablehlo.einsum' op dim 'a' has size 2, operand 1 has size 3 in dim 0}}
  %0 = stablehlo.einsum %a, %b, config = "ab,ac->bc" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<3x4xf32>
  return
}

// -----

func.func @einsum_free(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@below {{'stablehlo.einsum' op einsum_config has 'd' in the result alone}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ad" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>
  return
}

// -----

func.func @einsum_result(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@below {{'stablehlo.einsum' op dim 'c' has size 4, result 0 has size 3 in dim 1}}
  %0 = stablehlo.einsum %a, %b, config = "ab,bc->ac" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @einsum_dots_rank(%a: tensor<3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@below {{'stablehlo.einsum' op einsum_config has '...ab' for operand 0, which has rank 1}}
  %0 = stablehlo.einsum %a, %b, config = "...ab,bc->...ac" : (tensor<3xf32>, tensor<3x4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @einsum_dots_size(%a: tensor<2x3xf32>, %b: tensor<5x4xf32>) {
  // expected-error@below {{'stablehlo.einsum' op dim '0' has size 2, operand 1 has size 5 in dim 0}}
  %0 = stablehlo.einsum %a, %b, config = "...b,...c->...bc" : (tensor<2x3xf32>, tensor<5x4xf32>) -> tensor<2x3x4xf32>
  return
}

// -----

func.func @einsum_dots_result(%a: tensor<2x3xf32>, %b: tensor<3x4xf32>) {
  // expected-error@below {{'stablehlo.einsum' op einsum_config has more dims in '...' in the result alone}}
  %0 = stablehlo.einsum %a, %b, config = "...b,bc->...c" : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<1x2x4xf32>
  return
}

// -----

func.func @unary_einsum_form(%a: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.unary_einsum' op einsum_config is 'ab,b->a', expected such as 'ab->a'}}
  %0 = stablehlo.unary_einsum %a, config = "ab,b->a" : (tensor<2x3xf32>) -> tensor<2xf32>
  return
}

// -----

// dot_general_c4
func.func @dot_general_c4(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op list of batching and contracting dims of operand 1 has 1 twice}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [1], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c6
func.func @dot_general_c6(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op list of batching and contracting dims of operand 0 has 3, operand 0 has rank 3}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [3] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c7
func.func @dot_general_c7(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op list of batching and contracting dims of operand 1 has 3, operand 1 has rank 3}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [3], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c14
func.func @dot_general_c14(%x: tensor<2x3x4x!quant.uniform<i8:f32, 1.0>>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{'stablehlo.dot_general' op has quantized and other element types, '!quant.uniform<i8:f32, 1.000000e+00>', 'f32' and 'f32'; quantized are all, or operand 1 alone}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0>>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c15
func.func @dot_general_c15(%x: tensor<2x3x4x!quant.uniform<i8:f32, 1.0>>, %y: tensor<2x4x5x!quant.uniform<i8:f32, 1.0>>) {
  // expected-error@below {{'stablehlo.dot_general' op result 0 is quantized along a dim, operand 1 as a whole}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0>>, tensor<2x4x5x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x3x5x!quant.uniform<i8:f32:2, {1.0, 1.0, 1.0, 1.0, 1.0}>>
  return
}

// -----

// dot_general_c16
func.func @dot_general_c16(%x: tensor<2x3x4x!quant.uniform<i8:f32, 1.0>>, %y: tensor<2x4x5x!quant.uniform<i8:f32:2, {1.0:1, 1.0, 1.0, 1.0, 1.0}>>) {
  // expected-error@below {{'stablehlo.dot_general' op operand 1 has a zero point other than 0}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0>>, tensor<2x4x5x!quant.uniform<i8:f32:2, {1.0:1, 1.0, 1.0, 1.0, 1.0}>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 1.0>>
  return
}

// -----

func.func @zero_point_of_a_whole(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5x!quant.uniform<i8:f32, 1.0:3>>) {
  // expected-error@below {{'stablehlo.dot_general' op operand 1 has a zero point other than 0}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5x!quant.uniform<i8:f32, 1.0:3>>) -> tensor<2x3x5xf32>
  return
}

// -----

func.func @stored_otherwise(%x: tensor<2x3x4x!quant.uniform<i8:f32, 1.0>>, %y: tensor<2x4x5x!quant.uniform<i16:f32, 1.0>>) {
  // expected-error@below {{'stablehlo.dot_general' op operand 1 is stored as 'i16', operand 0 as 'i8'}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0>>, tensor<2x4x5x!quant.uniform<i16:f32, 1.0>>) -> tensor<2x3x5x!quant.uniform<i32:f32, 1.0>>
  return
}

// -----

func.func @scale_along_a_contracted_dim(%x: tensor<2x3xf32>, %y: tensor<3x5x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>) {
  // expected-error@below {{'stablehlo.dot_general' op operand 1 is quantized along dim 0, which is contracted; no one scale is that of a sum}}
  %0 = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<3x5x!quant.uniform<i8:f32:0, {1.0, 2.0, 3.0}>>) -> tensor<2x5xf32>
  return
}

// -----

// dot_general_c17, c18, c19
func.func @dot_general_c17(%x: tensor<2x3x4x!quant.uniform<i8:f32, 1.0>>, %y: tensor<2x4x5x!quant.uniform<i8:f64, 1.0>>) {
  // expected-error@below {{'stablehlo.dot_general' op computes in 'f32', 'f64' and 'f32' for operands 0, 1 and the result; expected one type}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4x!quant.uniform<i8:f32, 1.0>>, tensor<2x4x5x!quant.uniform<i8:f64, 1.0>>) -> tensor<2x3x5x!quant.uniform<i8:f32, 1.0>>
  return
}

// -----

// dot_general_c20
func.func @dot_general_c20(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5x!quant.uniform<i8:f64, 1.0>>) {
  // expected-error@below {{'stablehlo.dot_general' op computes in 'f32', 'f64' and 'f32' for operands 0, 1 and the result; expected one type}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<2x3x4xf32>, tensor<2x4x5x!quant.uniform<i8:f64, 1.0>>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c23
func.func @dot_general_c23(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{custom op 'stablehlo.dot_general' rhs_component_count is 0; it is at least 1}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 0, num_primitive_operations = 1, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// -----

// dot_general_c24
func.func @dot_general_c24(%x: tensor<2x3x4xf32>, %y: tensor<2x4x5xf32>) {
  // expected-error@below {{custom op 'stablehlo.dot_general' num_primitive_operations is 0; it is at least 1}}
  %0 = stablehlo.dot_general %x, %y, batching_dims = [0] x [0], contracting_dims = [2] x [1], algorithm = <lhs_precision_type = tf32, rhs_precision_type = tf32, accumulation_type = f32, lhs_component_count = 1, rhs_component_count = 1, num_primitive_operations = 0, allow_imprecise_accumulation = false> : (tensor<2x3x4xf32>, tensor<2x4x5xf32>) -> tensor<2x3x5xf32>
  return
}

// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// top_k_c1
func.func @top_k_scalar(%x: tensor<f32>) {
  // expected-error@below {{'chlo.top_k' op operand 0 has rank 0, expected at least 1}}
  %0:2 = chlo.top_k(%x, k = 1) : tensor<f32> -> (tensor<f32>, tensor<i32>)
  return
}

// -----

// top_k_c2
func.func @top_k_too_many(%x: tensor<2x4xf32>) {
  // expected-error@below {{'chlo.top_k' op k is 5, the last dim of operand 0 has size 4}}
  %0:2 = chlo.top_k(%x, k = 5) : tensor<2x4xf32> -> (tensor<2x5xf32>, tensor<2x5xi32>)
  return
}

// -----

// top_k_c2
func.func @top_k_negative(%x: tensor<2x4xf32>) {
  // expected-error@below {{'chlo.top_k' op k is -1, the last dim of operand 0 has size 4}}
  %0:2 = chlo.top_k(%x, k = -1) : tensor<2x4xf32> -> (tensor<2x0xf32>, tensor<2x0xi32>)
  return
}

// -----

// top_k_c3
func.func @top_k_elements(%x: tensor<2x4xf32>) {
  // expected-error@below {{'chlo.top_k' op result 0 has element type 'f64', operand 0 has 'f32'}}
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x4xf32> -> (tensor<2x3xf64>, tensor<2x3xi32>)
  return
}

// -----

// top_k_c3
func.func @top_k_values(%x: tensor<2x4xf32>) {
  // expected-error@below {{'chlo.top_k' op result 0 has size 2 in dim 1, expected 3}}
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x4xf32> -> (tensor<2x2xf32>, tensor<2x3xi32>)
  return
}

// -----

// top_k_c3
func.func @top_k_indices(%x: tensor<2x4xf32>) {
  // expected-error@below {{'chlo.top_k' op result 1 has size 1 in dim 0, expected 2}}
  %0:2 = chlo.top_k(%x, k = 3) : tensor<2x4xf32> -> (tensor<2x3xf32>, tensor<1x3xi32>)
  return
}

// -----

// ragged_dot_c1
func.func @ragged_dot_batching_count(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op lhs_batching_dimensions has 1 entries, rhs_batching_dimensions has 0}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c2
func.func @ragged_dot_contracting_count(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op lhs_contracting_dimensions has 1 entries, rhs_contracting_dimensions has 0}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c3
func.func @ragged_dot_lhs_dim(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op list of batching and contracting dims of operand 0 has 2, operand 0 has rank 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c4
func.func @ragged_dot_group_is_contracting(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op list of batching, contracting and group dims of operand 1 has 1 twice}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [1]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c5
func.func @ragged_dot_batching_sizes(%lhs: tensor<2x11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<3x2x11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op batching dim 0 of operand 0 has size 2, dim 0 of operand 1 has size 3}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}>
      : (tensor<2x11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<3x2x11x7xf32>
  return %0 : tensor<3x2x11x7xf32>
}

// -----

// ragged_dot_c6
func.func @ragged_dot_contracting_sizes(%lhs: tensor<11x5xf32>, %rhs: tensor<3x2x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op contracting dim 1 of operand 0 has size 5, dim 1 of operand 1 has size 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x2x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c7
func.func @ragged_dot_two_ragged_dims(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op lhs_ragged_dimensions has 2 entries, expected 1}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0, 1], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c7
func.func @ragged_dot_no_such_ragged_dim(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op lhs_ragged_dimensions is 2, operand 0 has rank 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c8
func.func @ragged_dot_without_groups(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op rhs_group_dimensions has 0 entries, expected 1 where the ragged dim of operand 0 is free}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c8
func.func @ragged_dot_groups_of_contracting(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op rhs_group_dimensions has 1 entries, expected 0 where the ragged dim of operand 0 is contracting}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c8
func.func @ragged_dot_groups_of_batching(%lhs: tensor<2x3x11x5xf32>, %rhs: tensor<2x3x5x7xf32>, %sizes: tensor<4xi64>) -> tensor<2x3x11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op rhs_group_dimensions has 1 entries, expected 0 where the ragged dim of operand 0 is batching}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [3]>}>
      : (tensor<2x3x11x5xf32>, tensor<2x3x5x7xf32>, tensor<4xi64>) -> tensor<2x3x11x7xf32>
  return %0 : tensor<2x3x11x7xf32>
}

// -----

// ragged_dot_c9
func.func @ragged_dot_sizes_rank(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3x2xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op operand 2 has rank 2, expected 1}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3x2xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c9
func.func @ragged_dot_sizes_rank_of_batches(%lhs: tensor<2x3x11x5xf32>, %rhs: tensor<2x3x5x7xf32>, %sizes: tensor<2x3x4xi64>) -> tensor<2x3x11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op operand 2 has rank 3, expected 1 or 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1]>}>
      : (tensor<2x3x11x5xf32>, tensor<2x3x5x7xf32>, tensor<2x3x4xi64>) -> tensor<2x3x11x7xf32>
  return %0 : tensor<2x3x11x7xf32>
}

// -----

// ragged_dot_c9
func.func @ragged_dot_sizes_of_batches(%lhs: tensor<2x3x11x5xf32>, %rhs: tensor<2x3x5x7xf32>, %sizes: tensor<3x4xi64>) -> tensor<2x3x11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op operand 2 has size 3 in dim 0, operand 0 has size 2 in dim 0}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0, 1], rhs_batching_dimensions = [0, 1], lhs_contracting_dimensions = [3], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1]>}>
      : (tensor<2x3x11x5xf32>, tensor<2x3x5x7xf32>, tensor<3x4xi64>) -> tensor<2x3x11x7xf32>
  return %0 : tensor<2x3x11x7xf32>
}

// -----

// ragged_dot_c10
func.func @ragged_dot_group_count(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<2xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op operand 1 has 3 groups in dim 0, operand 2 gives the sizes of 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<2xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c11
func.func @ragged_dot_precision(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  // expected-error@below {{'chlo.ragged_dot' op precision_config has 1 entries, the number of operands is 2}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>, precision_config = [#chlo<precision HIGH>]}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

// -----

// ragged_dot_c12
func.func @ragged_dot_result(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x6xf32> {
  // expected-error@below {{'chlo.ragged_dot' op result 0 has size 6 in dim 1, expected 7}}
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x6xf32>
  return %0 : tensor<11x6xf32>
}

// -----

func.func private @unknown_field(tensor<2xf32>) attributes {
  // expected-error@below {{unknown field 'rhs_ragged_dimensions'}}
  numbers = #chlo.ragged_dot<rhs_ragged_dimensions = [0]>}

// -----

func.func private @field_twice(tensor<2xf32>) attributes {
  // expected-error@below {{field 'lhs_ragged_dimensions' occurs twice}}
  numbers = #chlo.ragged_dot<lhs_ragged_dimensions = [0], lhs_ragged_dimensions = [1]>}

// -----

// scan_c2
func.func @scan_carry(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error@below {{'chlo.scan' op result 1 has size 4 in dim 0, operand 1 has size 3}}
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a, %b : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<4xf32>)
  return
}

// -----

// scan_c3
func.func @scan_steps(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error@below {{'chlo.scan' op operand 0 has size 2 in dim 0, the scan has 3 steps}}
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 attributes {scan_dim_size = 3 : i64} {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a, %b : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}

// -----

// scan_c3
func.func @scan_output_steps(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error@below {{'chlo.scan' op result 0 has size 4 in dim 0, the scan has 2 steps}}
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a, %b : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>)
  return
}

// -----

// scan_c3
func.func @scan_dimension(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error@below {{'chlo.scan' op dimension is 2, operand 0 has rank 2}}
  %0:2 = chlo.scan(%x) inits (%c) dimension=2 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a, %b : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}

// -----

// scan_c4
func.func @scan_without_size(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error@below {{'chlo.scan' op has no input and no output, and no scan_dim_size that gives its steps}}
  %0:1 = chlo.scan() inits (%c) dimension=0 {
  ^bb0(%b: tensor<3xf32>):
    stablehlo.return %b : tensor<3xf32>
  } : (tensor<3xf32>) -> (tensor<3xf32>)
  return
}

// -----

// scan_c4
func.func @scan_negative_size(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error@below {{'chlo.scan' op scan_dim_size is -1, expected at least 0}}
  %0:1 = chlo.scan() inits (%c) dimension=0 attributes {scan_dim_size = -1 : i64} {
  ^bb0(%b: tensor<3xf32>):
    stablehlo.return %b : tensor<3xf32>
  } : (tensor<3xf32>) -> (tensor<3xf32>)
  return
}

// -----

// scan_c5
func.func @scan_arguments(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error@below {{'chlo.scan' op region 'body' has 1 arguments, expected 2}}
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%a: tensor<3xf32>):
    stablehlo.return %a, %a : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}

// -----

// scan_c5
func.func @scan_argument_type(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error@below {{'chlo.scan' op argument 0 of region 'body' has type 'tensor<3xf32>', expected 'tensor<2xf32>'}}
  %0:2 = chlo.scan(%x) inits (%c) dimension=1 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a, %b : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}

// -----

// scan_c6
func.func @scan_returned(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error@below {{'chlo.scan' op region 'body' has 1 returned values, expected 2}}
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a : tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}

// -----

// scan_c1
func.func @scan_carries(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  // expected-error@below {{'chlo.scan' op has 1 inits and 0 carries, expected as many}}
  %0:2 = "chlo.scan"(%x, %c) <{dimension = 0 : i64, operandSegmentSizes = array<i32: 1, 1>, resultSegmentSizes = array<i32: 2, 0>}> ({
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a, %b : tensor<3xf32>, tensor<3xf32>
  }) : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)
  return
}

// -----

func.func @scan_operand_count(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a, %b : tensor<3xf32>, tensor<3xf32>
  // expected-error@below {{type has 1 operands, expected 2}}
  } : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  return
}

// -----

func.func @scan_result_count(%x: tensor<2x3xf32>, %c: tensor<3xf32>) {
  chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %b : tensor<3xf32>
  // expected-error@below {{type has 0 results, expected a carry for each of 1 inits}}
  } : (tensor<2x3xf32>, tensor<3xf32>) -> ()
  return
}

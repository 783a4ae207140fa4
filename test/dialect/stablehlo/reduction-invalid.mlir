// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// reduce_c2
func.func @reduce_c2(%x: tensor<2x3xf32>, %c: tensor<f64>) {
  // expected-error@below {{'stablehlo.reduce' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [1] : (tensor<2x3xf32>, tensor<f64>) -> tensor<2xf32>
  return
}

// -----

// reduce_c3
func.func @reduce_c3() {
  // expected-error@below {{'stablehlo.reduce' op has no inputs}}
  "stablehlo.reduce"() <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : () -> ()
  return
}

// -----

// reduce_c4
func.func @reduce_c4(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op dimensions has 2, operand 0 has rank 2}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// reduce_c5
func.func @reduce_c5(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op dimensions has 1 twice}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// reduce_c7
func.func @reduce_c7(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op result 0 has size 2 in dim 0, expected 3}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// reduce_c6
func.func @reduce_c6_count(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op region 'body' has 1 arguments, expected 2}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// reduce_c6
func.func @reduce_c6_type(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op region 'body' computes 'i32' from input 0 of element type 'f32', which cannot be promoted to it}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// reduce_c6
func.func @reduce_c6_rank(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op returned value 0 of region 'body' has type 'tensor<2xf32>', expected a tensor of rank 0}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    stablehlo.return %a : tensor<2xf32>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// reduce_c6
func.func @reduce_c6_returns(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op region 'body' returns 0 values, expected 1}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// reduce_c8
func.func @reduce_c8(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op result 0 has element type 'f32', region 'body' computes 'f64'}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f64>, %b: tensor<f64>):
    %s = stablehlo.add %a, %b : tensor<f64>
    stablehlo.return %s : tensor<f64>
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_no_body(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op region 'body' has 0 blocks, expected 1}}
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({}) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_terminator(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  %0 = "stablehlo.reduce"(%x, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    // expected-error@below {{'func.return' op expects parent op 'func.func'}}
    func.return
  }) : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

func.func @reduce_applies(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // expected-error@below {{custom op 'stablehlo.reduce' 'stablehlo.subtract' is no commutative op of 'stablehlo'}}
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.subtract across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// -----

// reduce_window_c4
func.func @reduce_window_c4(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op window_dimensions has 1 entries, the number of windowed dims is 2}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<4x9xf32>
  return
}

// -----

// reduce_window_c5
func.func @reduce_window_c5(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op window_dimensions has 0 at 1; it is at least 1}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3, 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<4x9xf32>
  return
}

// -----

// reduce_window_c6
func.func @reduce_window_c6(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op window_strides has 1 entries, the number of windowed dims is 2}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 3>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<4x9xf32>
  return
}

// -----

// reduce_window_c7
func.func @reduce_window_c7(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op window_strides has -1 at 1; it is at least 1}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 3, -1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<4x9xf32>
  return
}

// -----

// reduce_window_c12
func.func @reduce_window_c12(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op padding is 3x2, expected 2x2}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3, 2>, padding = dense<0> : tensor<3x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<4x9xf32>
  return
}

// -----

// reduce_window_c15
func.func @reduce_window_c15(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op result 0 has size 4 in dim 0, expected 6}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<4x9xf32>
  return
}

// -----

func.func @reduce_window_overflow(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op padded size of dim 0 is over 2^63}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 3, 2>, base_dilations = array<i64: 9223372036854775807, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<4x9xf32>
  return
}

// -----

// sort_c4
func.func @sort_c4(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.sort' op dimension is 2, operand 0 has rank 2}}
  %0 = "stablehlo.sort"(%x) <{dimension = 2 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// sort_c4
func.func @sort_c4_negative(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.sort' op dimension is -3, operand 0 has rank 2}}
  %0 = "stablehlo.sort"(%x) <{dimension = -3 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// sort_c5
func.func @sort_c5(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.sort' op returned value 0 of region 'comparator' has type 'tensor<f32>', expected 'tensor<i1>'}}
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// reduce_window_c1
func.func @reduce_window_c1(%c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op has no inputs}}
  "stablehlo.reduce_window"() <{window_dimensions = array<i64>}> ({
  ^bb0:
    stablehlo.return
  }) : () -> ()
  return
}

// -----

// reduce_window_c2
func.func @reduce_window_c2(%x: tensor<8x9xf32>, %y: tensor<8x7xf32>, %c: tensor<f32>, %d: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op operand 1 has size 7 in dim 1, operand 0 has size 9}}
  %0:2 = "stablehlo.reduce_window"(%x, %y, %c, %d) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %e: tensor<f32>, %f: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<8x9xf32>, tensor<8x7xf32>, tensor<f32>, tensor<f32>) -> (tensor<8x9xf32>, tensor<8x9xf32>)
  return
}

// -----

// reduce_window_c3
func.func @reduce_window_c3(%x: tensor<8x9xf32>, %y: tensor<8x9xf32>, %c: tensor<f32>, %d: tensor<f64>) {
  // expected-error@below {{'stablehlo.reduce_window' op operand 3 has element type 'f64', operand 1 has 'f32'}}
  %0:2 = "stablehlo.reduce_window"(%x, %y, %c, %d) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %e: tensor<f32>, %f: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<8x9xf32>, tensor<8x9xf32>, tensor<f32>, tensor<f64>) -> (tensor<8x9xf32>, tensor<8x9xf32>)
  return
}

// -----

// reduce_window_c8
func.func @reduce_window_c8(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op base_dilations has 1 entries, the number of windowed dims is 2}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1>, base_dilations = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<8x9xf32>
  return
}

// -----

// reduce_window_c9
func.func @reduce_window_c9(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op base_dilations has 0 at 0; it is at least 1}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1>, base_dilations = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<8x9xf32>
  return
}

// -----

// reduce_window_c10
func.func @reduce_window_c10(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op window_dilations has 1 entries, the number of windowed dims is 2}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1>, window_dilations = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<8x9xf32>
  return
}

// -----

// reduce_window_c11
func.func @reduce_window_c11(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op window_dilations has 0 at 1; it is at least 1}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1>, window_dilations = array<i64: 1, 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<8x9xf32>
  return
}

// -----

// reduce_window_c13
func.func @reduce_window_c13(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op region 'body' computes 'i32' from input 0 of element type 'f32', which cannot be promoted to it}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<8x9xf32>
  return
}

// -----

// reduce_window_c14
func.func @reduce_window_c14(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op result 0 has size 8 in dim 1, expected 9}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<8x8xf32>
  return
}

// -----

// reduce_window_c16
func.func @reduce_window_c16(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce_window' op result 0 has element type 'f64', region 'body' computes 'f32'}}
  %0 = "stablehlo.reduce_window"(%x, %c) <{window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<8x9xf64>
  return
}

// -----

// reduce_c1
func.func @reduce_c1(%x: tensor<8x9xf32>, %y: tensor<8x7xf32>, %c: tensor<f32>) {
  // expected-error@below {{'stablehlo.reduce' op operand 1 has size 7 in dim 1, operand 0 has size 9}}
  %0:2 = "stablehlo.reduce"(%x, %y, %c, %c) <{dimensions = array<i64: 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %e: tensor<f32>, %f: tensor<f32>):
    stablehlo.return %a, %b : tensor<f32>, tensor<f32>
  }) : (tensor<8x9xf32>, tensor<8x7xf32>, tensor<f32>, tensor<f32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

// sort_c1
func.func @sort_c1(%x: tensor<f32>) {
  // expected-error@below {{'stablehlo.sort' op has no inputs}}
  "stablehlo.sort"() <{dimension = 0 : i64}> ({
  ^bb0:
    stablehlo.return
  }) : () -> ()
  return
}

// -----

// sort_c2
func.func @sort_c2(%x: tensor<8x9xf32>, %y: tensor<8x7xf32>) {
  // expected-error@below {{'stablehlo.sort' op operand 1 has size 7 in dim 1, operand 0 has size 9}}
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8x9xf32>, tensor<8x7xf32>) -> (tensor<8x9xf32>, tensor<8x9xf32>)
  return
}

// -----

// sort_c3
func.func @sort_c3(%x: tensor<8x9xf32>, %y: tensor<8x9xf32>) {
  // expected-error@below {{'stablehlo.sort' op result 1 has size 7 in dim 1, operand 1 has size 9}}
  %0:2 = "stablehlo.sort"(%x, %y) <{dimension = 0 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>, %c: tensor<f32>, %d: tensor<f32>):
    %p = stablehlo.compare LT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }) : (tensor<8x9xf32>, tensor<8x9xf32>) -> (tensor<8x9xf32>, tensor<8x7xf32>)
  return
}

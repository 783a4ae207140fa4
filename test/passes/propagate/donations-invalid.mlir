// RUN: spmd-opt %s --split-input-file --verify-diagnostics --spmd-propagate

// expected-error @below {{argument 0 has 'tf.aliasing_output' -1; there are 1 results}}
func.func @negative(%a: tensor<4xf32> {tf.aliasing_output = -1 : i32}) -> tensor<4xf32> { return %a : tensor<4xf32> }

// -----

// expected-error @below {{argument 0 has 'tf.aliasing_output' 7; there are 1 results}}
func.func @none(%a: tensor<4xf32> {tf.aliasing_output = 7 : i32}) -> tensor<4xf32> { return %a : tensor<4xf32> }

// -----

// Two bits, signed.
// expected-error @below {{argument 0 has 'tf.aliasing_output' -2; there are 3 results}}
func.func @few_bits(%a: tensor<4xf32> {tf.aliasing_output = 2 : i2}) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  return %a, %a, %a : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// expected-error @below {{argument 0 has 'tf.aliasing_output' "x"; expected the number of a result}}
func.func @text(%a: tensor<4xf32> {tf.aliasing_output = "x"}) -> tensor<4xf32> { return %a : tensor<4xf32> }

// -----

func.func @twice(%a: tensor<4xf32> {tf.aliasing_output = 0 : i32},
                 // expected-error @below {{argument 1 has 'tf.aliasing_output' 0, and so has argument 0; a result takes over one buffer}}
                 %b: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> { return %a : tensor<4xf32> }

// -----

// expected-warning @below {{argument 0 of @other_type, 'tensor<5xf32>', is donated to result 0, 'tensor<4xf32>'; the donation is dropped}}
func.func @other_type(%a: tensor<5xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<4xf32>) -> tensor<4xf32> { return %b : tensor<4xf32> }

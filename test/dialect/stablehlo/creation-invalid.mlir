// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// constant_c1
func.func @constant_c1() {
  // expected-error@below {{'stablehlo.constant' op value has type 'tensor<2xf32>', result 0 has type 'tensor<3xf32>'}}
  %0 = "stablehlo.constant"() <{value = dense<1.0> : tensor<2xf32>}> : () -> tensor<3xf32>
  return
}

// -----

// iota_c1
func.func @iota_c1() {
  // expected-error@below {{'stablehlo.iota' op iota_dimension is 2, result 0 has rank 2}}
  %0 = stablehlo.iota dim = 2 : tensor<2x3xi32>
  return
}

// -----

func.func @iota_dynamic() {
  // expected-error@below {{'stablehlo.iota' op result 0 has no static size in dim 0}}
  %0 = stablehlo.iota dim = 0 : tensor<?xi32>
  return
}

// -----

func.func @partition_id_type() {
  // expected-error@below {{'stablehlo.partition_id' op result #0 must be tensor<ui32>, but got 'tensor<i32>'}}
  %0 = stablehlo.partition_id : tensor<i32>
  return
}

// -----

func.func @rng_rank(%a: tensor<f32>, %b: tensor<1xf32>, %s: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.rng' op operand 1 has rank 1, expected 0}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<1xf32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

// rng_c1
func.func @rng_c1(%a: tensor<f32>, %b: tensor<f64>, %s: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.rng' op result 0 has element type 'f32', operand 1 has 'f64'}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f64>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

// rng_c2
func.func @rng_c2(%a: tensor<i32>, %b: tensor<i32>, %s: tensor<2xi64>) {
  // expected-error@below {{'stablehlo.rng' op rng_distribution is NORMAL, result 0 has element type 'i32'}}
  %0 = stablehlo.rng %a, %b, %s, distribution = NORMAL : (tensor<i32>, tensor<i32>, tensor<2xi64>) -> tensor<2x3xi32>
  return
}

// -----

// rng_c3
func.func @rng_c3(%a: tensor<f32>, %b: tensor<f32>, %s: tensor<3xi64>) {
  // expected-error@below {{'stablehlo.rng' op operand 2 has 3 entries, result 0 has rank 2}}
  %0 = stablehlo.rng %a, %b, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<3xi64>) -> tensor<2x3xf32>
  return
}

// -----

// rng_c3
func.func @rng_c3_constant(%a: tensor<f32>) {
  %s = stablehlo.constant dense<[2, 4]> : tensor<2xi64>
  // expected-error@below {{'stablehlo.rng' op operand 2 has 4 for dim 1, result 0 has size 3}}
  %0 = stablehlo.rng %a, %a, %s, distribution = NORMAL : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<2x3xf32>
  return
}

// -----

// rng_bit_generator_c1
func.func @rng_bit_generator_c1(%s: tensor<2xui64>) {
  // expected-error@below {{'stablehlo.rng_bit_generator' op result 0 has size 3 in dim 0, operand 0 has size 2}}
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

// rng_bit_generator_c2
func.func @rng_bit_generator_c2(%s: tensor<3xui64>) {
  // expected-error@below {{'stablehlo.rng_bit_generator' op operand 0 has 3 elements, THREE_FRY has a state of 2}}
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = THREE_FRY : (tensor<3xui64>) -> (tensor<3xui64>, tensor<4xui32>)
  return
}

// -----

// rng_bit_generator_c2
func.func @rng_bit_generator_c2_philox(%s: tensor<4xui64>) {
  // expected-error@below {{'stablehlo.rng_bit_generator' op operand 0 has 4 elements, PHILOX has a state of 2 or 3}}
  %0, %1 = stablehlo.rng_bit_generator %s, algorithm = PHILOX : (tensor<4xui64>) -> (tensor<4xui64>, tensor<4xui32>)
  return
}

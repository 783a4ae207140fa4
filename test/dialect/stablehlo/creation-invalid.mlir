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

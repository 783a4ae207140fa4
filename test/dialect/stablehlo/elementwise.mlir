// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s
// Ops on elements at one place. One type stands for all of them where they agree.

// CHECK-LABEL: func.func @unary_of_any_numbers(
// CHECK: %0 = stablehlo.abs %arg0 : tensor<2x3xf32>
// CHECK-NEXT: %1 = stablehlo.negate %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %2 = stablehlo.sign %arg0 : tensor<2x3xf32>
// CHECK-NEXT: %3 = stablehlo.not %arg2 : tensor<2x3xi1>
// CHECK-NEXT: %4 = stablehlo.popcnt %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %5 = stablehlo.count_leading_zeros %arg1 : tensor<2x3xi32>
func.func @unary_of_any_numbers(%arg0: tensor<2x3xf32>, %arg1: tensor<2x3xi32>, %arg2: tensor<2x3xi1>) {
  %0 = stablehlo.abs %arg0 : tensor<2x3xf32>
  %1 = stablehlo.negate %arg1 : tensor<2x3xi32>
  %2 = stablehlo.sign %arg0 : tensor<2x3xf32>
  %3 = stablehlo.not %arg2 : tensor<2x3xi1>
  %4 = stablehlo.popcnt %arg1 : tensor<2x3xi32>
  %5 = stablehlo.count_leading_zeros %arg1 : tensor<2x3xi32>
  return
}

// CHECK-LABEL: func.func @rounding(
// CHECK: %0 = stablehlo.ceil %arg0 : tensor<5xbf16>
// CHECK-NEXT: %1 = stablehlo.floor %arg0 : tensor<5xbf16>
// CHECK-NEXT: %2 = stablehlo.round_nearest_afz %arg0 : tensor<5xbf16>
// CHECK-NEXT: %3 = stablehlo.round_nearest_even %arg0 : tensor<5xbf16>
// CHECK-NEXT: %4 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<5xbf16>
func.func @rounding(%arg0: tensor<5xbf16>) {
  %0 = stablehlo.ceil %arg0 : tensor<5xbf16>
  %1 = stablehlo.floor %arg0 : tensor<5xbf16>
  %2 = stablehlo.round_nearest_afz %arg0 : tensor<5xbf16>
  %3 = stablehlo.round_nearest_even %arg0 : tensor<5xbf16>
  %4 = stablehlo.reduce_precision %arg0, format = e5m10 : tensor<5xbf16>
  return
}

// CHECK-LABEL: func.func @transcendental(
// CHECK: %0 = stablehlo.cbrt %arg0 : tensor<5xf64>
// CHECK-NEXT: %1 = stablehlo.cosine %arg0 : tensor<5xf64>
// CHECK-NEXT: %2 = stablehlo.exponential %arg0 : tensor<5xf64>
// CHECK-NEXT: %3 = stablehlo.exponential_minus_one %arg0 : tensor<5xf64>
// CHECK-NEXT: %4 = stablehlo.log %arg0 : tensor<5xf64>
// CHECK-NEXT: %5 = stablehlo.log_plus_one %arg0 : tensor<5xf64>
// CHECK-NEXT: %6 = stablehlo.logistic %arg0 : tensor<5xf64>
// CHECK-NEXT: %7 = stablehlo.rsqrt %arg0 : tensor<5xf64>
// CHECK-NEXT: %8 = stablehlo.sine %arg0 : tensor<5xf64>
// CHECK-NEXT: %9 = stablehlo.sqrt %arg0 : tensor<5xf64>
// CHECK-NEXT: %10 = stablehlo.tan %arg0 : tensor<5xf64>
// CHECK-NEXT: %11 = stablehlo.tanh %arg0 : tensor<5xf64>
func.func @transcendental(%arg0: tensor<5xf64>) {
  %0 = stablehlo.cbrt %arg0 : tensor<5xf64>
  %1 = stablehlo.cosine %arg0 : tensor<5xf64>
  %2 = stablehlo.exponential %arg0 : tensor<5xf64>
  %3 = stablehlo.exponential_minus_one %arg0 : tensor<5xf64>
  %4 = stablehlo.log %arg0 : tensor<5xf64>
  %5 = stablehlo.log_plus_one %arg0 : tensor<5xf64>
  %6 = stablehlo.logistic %arg0 : tensor<5xf64>
  %7 = stablehlo.rsqrt %arg0 : tensor<5xf64>
  %8 = stablehlo.sine %arg0 : tensor<5xf64>
  %9 = stablehlo.sqrt %arg0 : tensor<5xf64>
  %10 = stablehlo.tan %arg0 : tensor<5xf64>
  %11 = stablehlo.tanh %arg0 : tensor<5xf64>
  return
}

// CHECK-LABEL: func.func @accuracy(
// CHECK: %0 = stablehlo.tan %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<5xf32>
// CHECK-NEXT: %1 = stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 5.000000e-01, rtol = 2.500000e-01, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<5xf32>
func.func @accuracy(%arg0: tensor<5xf32>) {
  %0 = stablehlo.tan %arg0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<5xf32>
  %1 = stablehlo.exponential %arg0 {result_accuracy = #stablehlo.result_accuracy<atol = 5.000000e-01, rtol = 2.500000e-01, ulps = 3, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<5xf32>
  return
}

// CHECK-LABEL: func.func @binary(
// CHECK: %0 = stablehlo.add %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %1 = stablehlo.and %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %2 = stablehlo.divide %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %3 = stablehlo.maximum %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %4 = stablehlo.minimum %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %5 = stablehlo.multiply %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %6 = stablehlo.or %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %7 = stablehlo.power %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %8 = stablehlo.remainder %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %9 = stablehlo.shift_left %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %10 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %11 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %12 = stablehlo.subtract %arg0, %arg1 : tensor<2x3xi32>
// CHECK-NEXT: %13 = stablehlo.xor %arg0, %arg1 : tensor<2x3xi32>
func.func @binary(%arg0: tensor<2x3xi32>, %arg1: tensor<2x3xi32>) {
  %0 = stablehlo.add %arg0, %arg1 : tensor<2x3xi32>
  %1 = stablehlo.and %arg0, %arg1 : tensor<2x3xi32>
  %2 = stablehlo.divide %arg0, %arg1 : tensor<2x3xi32>
  %3 = stablehlo.maximum %arg0, %arg1 : tensor<2x3xi32>
  %4 = stablehlo.minimum %arg0, %arg1 : tensor<2x3xi32>
  %5 = stablehlo.multiply %arg0, %arg1 : tensor<2x3xi32>
  %6 = stablehlo.or %arg0, %arg1 : tensor<2x3xi32>
  %7 = stablehlo.power %arg0, %arg1 : tensor<2x3xi32>
  %8 = stablehlo.remainder %arg0, %arg1 : tensor<2x3xi32>
  %9 = stablehlo.shift_left %arg0, %arg1 : tensor<2x3xi32>
  %10 = stablehlo.shift_right_arithmetic %arg0, %arg1 : tensor<2x3xi32>
  %11 = stablehlo.shift_right_logical %arg0, %arg1 : tensor<2x3xi32>
  %12 = stablehlo.subtract %arg0, %arg1 : tensor<2x3xi32>
  %13 = stablehlo.xor %arg0, %arg1 : tensor<2x3xi32>
  return
}

// CHECK-LABEL: func.func @atan2_of_floats(
// CHECK: %0 = stablehlo.atan2 %arg0, %arg1 : tensor<2x3xf16>
func.func @atan2_of_floats(%arg0: tensor<2x3xf16>, %arg1: tensor<2x3xf16>) {
  %0 = stablehlo.atan2 %arg0, %arg1 : tensor<2x3xf16>
  return
}

// CHECK-LABEL: func.func @types_that_differ_are_written_as_a_function(
// CHECK: %0 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xbf16>
// CHECK-NEXT: %1 = stablehlo.convert %arg0 : tensor<2x3xf32>
// CHECK-NEXT: %2 = stablehlo.is_finite %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi1>
// CHECK-NEXT: %3 = stablehlo.add %arg0, %arg1 : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
func.func @types_that_differ_are_written_as_a_function(%arg0: tensor<2x3xf32>, %arg1: tensor<?x3xf32>) {
  %0 = stablehlo.convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xbf16>
  %1 = stablehlo.convert %arg0 : tensor<2x3xf32>
  %2 = stablehlo.is_finite %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi1>
  %3 = stablehlo.add %arg0, %arg1 : (tensor<2x3xf32>, tensor<?x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @complex_numbers(
// CHECK: %0 = stablehlo.complex %arg0, %arg1 : tensor<5xcomplex<f32>>
// CHECK-NEXT: %1 = stablehlo.real %arg2 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
// CHECK-NEXT: %2 = stablehlo.imag %arg2 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
// CHECK-NEXT: %3 = stablehlo.abs %arg2 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
func.func @complex_numbers(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>, %arg2: tensor<5xcomplex<f32>>) {
  %0 = stablehlo.complex %arg0, %arg1 : tensor<5xcomplex<f32>>
  %1 = stablehlo.real %arg2 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  %2 = stablehlo.imag %arg2 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  %3 = stablehlo.abs %arg2 : (tensor<5xcomplex<f32>>) -> tensor<5xf32>
  return
}

// CHECK-LABEL: func.func @compare(
// CHECK: %0 = stablehlo.compare EQ, %arg0, %arg1 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// CHECK-NEXT: %1 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// CHECK-NEXT: %2 = stablehlo.compare GE, %arg0, %arg1, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
// CHECK-NEXT: %3 = stablehlo.compare NE, %arg2, %arg2, UNSIGNED : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
func.func @compare(%arg0: tensor<5xf32>, %arg1: tensor<5xf32>, %arg2: tensor<5xui8>) {
  %0 = stablehlo.compare EQ, %arg0, %arg1 : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %1 = stablehlo.compare LT, %arg0, %arg1, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %2 = stablehlo.compare GE, %arg0, %arg1, TOTALORDER : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
  %3 = stablehlo.compare NE, %arg2, %arg2, UNSIGNED : (tensor<5xui8>, tensor<5xui8>) -> tensor<5xi1>
  return
}

// CHECK-LABEL: func.func @clamp_bounds_are_scalars_or_tensors(
// CHECK: %0 = stablehlo.clamp %arg1, %arg1, %arg1 : tensor<2x3xf32>
// CHECK-NEXT: %1 = stablehlo.clamp %arg0, %arg1, %arg0 : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
func.func @clamp_bounds_are_scalars_or_tensors(%arg0: tensor<f32>, %arg1: tensor<2x3xf32>) {
  %0 = stablehlo.clamp %arg1, %arg1, %arg1 : tensor<2x3xf32>
  %1 = stablehlo.clamp %arg0, %arg1, %arg0 : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @select(
// CHECK: %0 = stablehlo.select %arg0, %arg2, %arg2 : tensor<2x3xi1>, tensor<2x3xf32>
// CHECK-NEXT: %1 = stablehlo.select %arg1, %arg2, %arg2 : tensor<i1>, tensor<2x3xf32>
func.func @select(%arg0: tensor<2x3xi1>, %arg1: tensor<i1>, %arg2: tensor<2x3xf32>) {
  %0 = stablehlo.select %arg0, %arg2, %arg2 : tensor<2x3xi1>, tensor<2x3xf32>
  %1 = stablehlo.select %arg1, %arg2, %arg2 : tensor<i1>, tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @bitcast_splits_or_joins_the_last_dim(
// CHECK: %0 = stablehlo.bitcast_convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi32>
// CHECK-NEXT: %1 = stablehlo.bitcast_convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3x4xi8>
// CHECK-NEXT: %2 = stablehlo.bitcast_convert %arg1 : (tensor<2x4xi8>) -> tensor<2xui32>
func.func @bitcast_splits_or_joins_the_last_dim(%arg0: tensor<2x3xf32>, %arg1: tensor<2x4xi8>) {
  %0 = stablehlo.bitcast_convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3xi32>
  %1 = stablehlo.bitcast_convert %arg0 : (tensor<2x3xf32>) -> tensor<2x3x4xi8>
  %2 = stablehlo.bitcast_convert %arg1 : (tensor<2x4xi8>) -> tensor<2xui32>
  return
}

// CHECK-LABEL: func.func @attributes_of_other_owners_are_kept(
// CHECK: %0 = stablehlo.add %arg0, %arg0 {mhlo.frontend_attributes = {_scope = "a"}, mhlo.sharding = "{replicated}"} : tensor<2x3xf32>
func.func @attributes_of_other_owners_are_kept(%arg0: tensor<2x3xf32>) {
  %0 = stablehlo.add %arg0, %arg0 {mhlo.frontend_attributes = {_scope = "a"}, mhlo.sharding = "{replicated}"} : tensor<2x3xf32>
  return
}

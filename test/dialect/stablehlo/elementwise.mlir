// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @unary_float
func.func @unary_float(%x: tensor<2x3xf32>) {
  // CHECK: stablehlo.abs %{{.*}} : tensor<2x3xf32>
  %0 = stablehlo.abs %x : tensor<2x3xf32>
  // CHECK: stablehlo.ceil %{{.*}} : tensor<2x3xf32>
  %1 = stablehlo.ceil %x : tensor<2x3xf32>
  // CHECK: stablehlo.convert %{{.*}} : tensor<2x3xf32>
  %2 = stablehlo.convert %x : tensor<2x3xf32>
  // CHECK: stablehlo.floor %{{.*}} : tensor<2x3xf32>
  %3 = stablehlo.floor %x : tensor<2x3xf32>
  // CHECK: stablehlo.negate %{{.*}} : tensor<2x3xf32>
  %4 = stablehlo.negate %x : tensor<2x3xf32>
  // CHECK: stablehlo.round_nearest_afz %{{.*}} : tensor<2x3xf32>
  %5 = stablehlo.round_nearest_afz %x : tensor<2x3xf32>
  // CHECK: stablehlo.round_nearest_even %{{.*}} : tensor<2x3xf32>
  %6 = stablehlo.round_nearest_even %x : tensor<2x3xf32>
  // CHECK: stablehlo.sign %{{.*}} : tensor<2x3xf32>
  %7 = stablehlo.sign %x : tensor<2x3xf32>
  // CHECK: stablehlo.cbrt %{{.*}} : tensor<2x3xf32>
  %8 = stablehlo.cbrt %x : tensor<2x3xf32>
  // CHECK: stablehlo.cosine %{{.*}} : tensor<2x3xf32>
  %9 = stablehlo.cosine %x : tensor<2x3xf32>
  // CHECK: stablehlo.exponential %{{.*}} : tensor<2x3xf32>
  %10 = stablehlo.exponential %x : tensor<2x3xf32>
  // CHECK: stablehlo.exponential_minus_one %{{.*}} : tensor<2x3xf32>
  %11 = stablehlo.exponential_minus_one %x : tensor<2x3xf32>
  // CHECK: stablehlo.log %{{.*}} : tensor<2x3xf32>
  %12 = stablehlo.log %x : tensor<2x3xf32>
  // CHECK: stablehlo.log_plus_one %{{.*}} : tensor<2x3xf32>
  %13 = stablehlo.log_plus_one %x : tensor<2x3xf32>
  // CHECK: stablehlo.logistic %{{.*}} : tensor<2x3xf32>
  %14 = stablehlo.logistic %x : tensor<2x3xf32>
  // CHECK: stablehlo.rsqrt %{{.*}} : tensor<2x3xf32>
  %15 = stablehlo.rsqrt %x : tensor<2x3xf32>
  // CHECK: stablehlo.sine %{{.*}} : tensor<2x3xf32>
  %16 = stablehlo.sine %x : tensor<2x3xf32>
  // CHECK: stablehlo.sqrt %{{.*}} : tensor<2x3xf32>
  %17 = stablehlo.sqrt %x : tensor<2x3xf32>
  // CHECK: stablehlo.tan %{{.*}} : tensor<2x3xf32>
  %18 = stablehlo.tan %x : tensor<2x3xf32>
  // CHECK: stablehlo.tanh %{{.*}} : tensor<2x3xf32>
  %19 = stablehlo.tanh %x : tensor<2x3xf32>
  return
}

// CHECK-LABEL: func @unary_int
func.func @unary_int(%x: tensor<2x3xi32>) {
  // CHECK: stablehlo.count_leading_zeros %{{.*}} : tensor<2x3xi32>
  %0 = stablehlo.count_leading_zeros %x : tensor<2x3xi32>
  // CHECK: stablehlo.not %{{.*}} : tensor<2x3xi32>
  %1 = stablehlo.not %x : tensor<2x3xi32>
  // CHECK: stablehlo.popcnt %{{.*}} : tensor<2x3xi32>
  %2 = stablehlo.popcnt %x : tensor<2x3xi32>
  // CHECK: stablehlo.negate %{{.*}} : tensor<2x3xi32>
  %3 = stablehlo.negate %x : tensor<2x3xi32>
  return
}

// CHECK-LABEL: func @unary_other_result_type
func.func @unary_other_result_type(%x: tensor<2xf32>, %z: tensor<2xcomplex<f32>>) {
  // CHECK: stablehlo.convert %{{.*}} : (tensor<2xf32>) -> tensor<2xbf16>
  %0 = stablehlo.convert %x : (tensor<2xf32>) -> tensor<2xbf16>
  // CHECK: stablehlo.real %{{.*}} : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %1 = stablehlo.real %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: stablehlo.imag %{{.*}} : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %2 = stablehlo.imag %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: stablehlo.abs %{{.*}} : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  %3 = stablehlo.abs %z : (tensor<2xcomplex<f32>>) -> tensor<2xf32>
  // CHECK: stablehlo.is_finite %{{.*}} : (tensor<2xf32>) -> tensor<2xi1>
  %4 = stablehlo.is_finite %x : (tensor<2xf32>) -> tensor<2xi1>
  // CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<2xf32>) -> tensor<2x4xi8>
  %5 = stablehlo.bitcast_convert %x : (tensor<2xf32>) -> tensor<2x4xi8>
  // CHECK: stablehlo.reduce_precision %{{.*}}, format = e5m10 : tensor<2xf32>
  %6 = stablehlo.reduce_precision %x, format = e5m10 : tensor<2xf32>
  return
}

// CHECK-LABEL: func @result_accuracy
func.func @result_accuracy(%x: tensor<2xf32>) {
  // CHECK: stablehlo.tanh %{{.*}} {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
  %0 = stablehlo.tanh %x {result_accuracy = #stablehlo.result_accuracy<atol = 1.000000e-05, ulps = 2, mode = #stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<2xf32>
  // CHECK: stablehlo.exponential %{{.*}} : tensor<2xf32>
  %1 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<DEFAULT>>} : tensor<2xf32>
  return
}

// CHECK-LABEL: func @binary_float
func.func @binary_float(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<2x3xf32>
  %0 = stablehlo.add %x, %y : tensor<2x3xf32>
  // CHECK: stablehlo.atan2 %{{.*}}, %{{.*}} : tensor<2x3xf32>
  %1 = stablehlo.atan2 %x, %y : tensor<2x3xf32>
  // CHECK: stablehlo.divide %{{.*}}, %{{.*}} : tensor<2x3xf32>
  %2 = stablehlo.divide %x, %y : tensor<2x3xf32>
  // CHECK: stablehlo.maximum %{{.*}}, %{{.*}} : tensor<2x3xf32>
  %3 = stablehlo.maximum %x, %y : tensor<2x3xf32>
  // CHECK: stablehlo.minimum %{{.*}}, %{{.*}} : tensor<2x3xf32>
  %4 = stablehlo.minimum %x, %y : tensor<2x3xf32>
  // CHECK: stablehlo.multiply %{{.*}}, %{{.*}} : tensor<2x3xf32>
  %5 = stablehlo.multiply %x, %y : tensor<2x3xf32>
  // CHECK: stablehlo.power %{{.*}}, %{{.*}} : tensor<2x3xf32>
  %6 = stablehlo.power %x, %y : tensor<2x3xf32>
  // CHECK: stablehlo.remainder %{{.*}}, %{{.*}} : tensor<2x3xf32>
  %7 = stablehlo.remainder %x, %y : tensor<2x3xf32>
  // CHECK: stablehlo.subtract %{{.*}}, %{{.*}} : tensor<2x3xf32>
  %8 = stablehlo.subtract %x, %y : tensor<2x3xf32>
  return
}

// CHECK-LABEL: func @binary_int
func.func @binary_int(%x: tensor<2x3xi32>, %y: tensor<2x3xi32>) {
  // CHECK: stablehlo.and %{{.*}}, %{{.*}} : tensor<2x3xi32>
  %0 = stablehlo.and %x, %y : tensor<2x3xi32>
  // CHECK: stablehlo.or %{{.*}}, %{{.*}} : tensor<2x3xi32>
  %1 = stablehlo.or %x, %y : tensor<2x3xi32>
  // CHECK: stablehlo.xor %{{.*}}, %{{.*}} : tensor<2x3xi32>
  %2 = stablehlo.xor %x, %y : tensor<2x3xi32>
  // CHECK: stablehlo.shift_left %{{.*}}, %{{.*}} : tensor<2x3xi32>
  %3 = stablehlo.shift_left %x, %y : tensor<2x3xi32>
  // CHECK: stablehlo.shift_right_arithmetic %{{.*}}, %{{.*}} : tensor<2x3xi32>
  %4 = stablehlo.shift_right_arithmetic %x, %y : tensor<2x3xi32>
  // CHECK: stablehlo.shift_right_logical %{{.*}}, %{{.*}} : tensor<2x3xi32>
  %5 = stablehlo.shift_right_logical %x, %y : tensor<2x3xi32>
  return
}

// CHECK-LABEL: func @mixed_static_and_dynamic
func.func @mixed_static_and_dynamic(%x: tensor<?xf32>, %y: tensor<2xf32>) {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : (tensor<?xf32>, tensor<2xf32>) -> tensor<2xf32>
  %0 = stablehlo.add %x, %y : (tensor<?xf32>, tensor<2xf32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func @complex
func.func @complex(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  // CHECK: stablehlo.complex %{{.*}}, %{{.*}} : tensor<2xcomplex<f32>>
  %0 = stablehlo.complex %x, %y : tensor<2xcomplex<f32>>
  return
}

// CHECK-LABEL: func @compare
func.func @compare(%x: tensor<2xf32>, %y: tensor<2xf32>) {
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %0 = stablehlo.compare LT, %x, %y, FLOAT : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  // CHECK: stablehlo.compare NE, %{{.*}}, %{{.*}} : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %1 = stablehlo.compare NE, %x, %y : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return
}

// CHECK-LABEL: func @ternary
func.func @ternary(%p: tensor<i1>, %q: tensor<2xi1>, %x: tensor<2xf32>, %s: tensor<f32>) {
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<i1>, tensor<2xf32>
  %0 = stablehlo.select %p, %x, %x : tensor<i1>, tensor<2xf32>
  // CHECK: stablehlo.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<2xi1>, tensor<2xf32>
  %1 = stablehlo.select %q, %x, %x : tensor<2xi1>, tensor<2xf32>
  // CHECK: stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : tensor<2xf32>
  %2 = stablehlo.clamp %x, %x, %x : tensor<2xf32>
  // CHECK: stablehlo.clamp %{{.*}}, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  %3 = stablehlo.clamp %s, %x, %s : (tensor<f32>, tensor<2xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func @discardable_attributes
func.func @discardable_attributes(%x: tensor<2xf32>) {
  // CHECK: stablehlo.negate %{{.*}} {jax.note = "n", mhlo.sharding = "{replicated}"} : tensor<2xf32>
  %0 = stablehlo.negate %x {jax.note = "n", mhlo.sharding = "{replicated}"} : tensor<2xf32>
  return
}

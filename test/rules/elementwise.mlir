// RUN: spmd-opt %s --spmd-check-rules=all=true --verify-diagnostics -o %t

// Functions of elements split along every dim; which shares pass them is what differs.
func.func private @of_floats(%a: tensor<5x4xf32>, %b: tensor<5x4xf32>, %c: tensor<5x4xf32>, %p: tensor<5x4xi1>, %s: tensor<f32>) {
  %0 = stablehlo.abs %a : tensor<5x4xf32>
  %1 = stablehlo.cbrt %a : tensor<5x4xf32>
  %2 = stablehlo.ceil %a : tensor<5x4xf32>
  %3 = stablehlo.cosine %a : tensor<5x4xf32>
  %4 = stablehlo.exponential %a : tensor<5x4xf32>
  %5 = stablehlo.exponential_minus_one %a : tensor<5x4xf32>
  %6 = stablehlo.floor %a : tensor<5x4xf32>
  %7 = stablehlo.log %a : tensor<5x4xf32>
  %8 = stablehlo.log_plus_one %a : tensor<5x4xf32>
  %9 = stablehlo.logistic %a : tensor<5x4xf32>
  %10 = stablehlo.negate %a : tensor<5x4xf32>
  %11 = stablehlo.round_nearest_afz %a : tensor<5x4xf32>
  %12 = stablehlo.round_nearest_even %a : tensor<5x4xf32>
  %13 = stablehlo.rsqrt %a : tensor<5x4xf32>
  %14 = stablehlo.sign %a : tensor<5x4xf32>
  %15 = stablehlo.sine %a : tensor<5x4xf32>
  %16 = stablehlo.sqrt %a : tensor<5x4xf32>
  %17 = stablehlo.tan %a : tensor<5x4xf32>
  %18 = stablehlo.tanh %a : tensor<5x4xf32>
  %19 = stablehlo.add %a, %b : tensor<5x4xf32>
  %20 = stablehlo.atan2 %a, %b : tensor<5x4xf32>
  %21 = stablehlo.divide %a, %b : tensor<5x4xf32>
  %22 = stablehlo.maximum %a, %b : tensor<5x4xf32>
  %23 = stablehlo.minimum %a, %b : tensor<5x4xf32>
  %24 = stablehlo.multiply %a, %b : tensor<5x4xf32>
  %25 = stablehlo.power %a, %b : tensor<5x4xf32>
  %26 = stablehlo.remainder %a, %b : tensor<5x4xf32>
  %27 = stablehlo.subtract %a, %b : tensor<5x4xf32>
  %28 = stablehlo.is_finite %a : (tensor<5x4xf32>) -> tensor<5x4xi1>
  %29 = stablehlo.complex %a, %b : tensor<5x4xcomplex<f32>>
  %30 = stablehlo.compare LT, %a, %b : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xi1>
  %31 = stablehlo.clamp %a, %b, %c : tensor<5x4xf32>
  %32 = stablehlo.clamp %s, %b, %s : (tensor<f32>, tensor<5x4xf32>, tensor<f32>) -> tensor<5x4xf32>
  %33 = stablehlo.select %p, %a, %b : tensor<5x4xi1>, tensor<5x4xf32>
  %34 = stablehlo.reduce_precision %a, format = e5m10 : tensor<5x4xf32>
  %35 = stablehlo.convert %a : (tensor<5x4xf32>) -> tensor<5x4xbf16>
  %36 = stablehlo.convert %a : (tensor<5x4xf32>) -> tensor<5x4xf64>
  %37 = stablehlo.convert %a : (tensor<5x4xf32>) -> tensor<5x4xi32>
  %mapped = "stablehlo.map"(%a, %b) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %z = stablehlo.multiply %x, %y : tensor<f32>
    %w = stablehlo.subtract %z, %y : tensor<f32>
    stablehlo.return %w : tensor<f32>
  }) : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<5x4xf32>
  return
}

func.func private @of_integers(%a: tensor<5x3xi32>, %b: tensor<5x3xi32>, %p: tensor<5x3xi1>, %q: tensor<5x3xi1>, %u: tensor<5x3xui8>) {
  %0 = stablehlo.abs %a : tensor<5x3xi32>
  %1 = stablehlo.count_leading_zeros %a : tensor<5x3xi32>
  %2 = stablehlo.negate %a : tensor<5x3xi32>
  %3 = stablehlo.not %a : tensor<5x3xi32>
  %4 = stablehlo.popcnt %a : tensor<5x3xi32>
  %5 = stablehlo.sign %a : tensor<5x3xi32>
  %6 = stablehlo.add %a, %b : tensor<5x3xi32>
  %7 = stablehlo.and %a, %b : tensor<5x3xi32>
  %8 = stablehlo.divide %a, %b : tensor<5x3xi32>
  %9 = stablehlo.maximum %a, %b : tensor<5x3xi32>
  %10 = stablehlo.minimum %a, %b : tensor<5x3xi32>
  %11 = stablehlo.multiply %a, %b : tensor<5x3xi32>
  %12 = stablehlo.or %a, %b : tensor<5x3xi32>
  %13 = stablehlo.remainder %a, %b : tensor<5x3xi32>
  %14 = stablehlo.shift_left %a, %b : tensor<5x3xi32>
  %15 = stablehlo.shift_right_arithmetic %a, %b : tensor<5x3xi32>
  %16 = stablehlo.shift_right_logical %a, %b : tensor<5x3xi32>
  %17 = stablehlo.subtract %a, %b : tensor<5x3xi32>
  %18 = stablehlo.xor %a, %b : tensor<5x3xi32>
  %19 = stablehlo.and %p, %q : tensor<5x3xi1>
  %20 = stablehlo.or %p, %q : tensor<5x3xi1>
  %21 = stablehlo.xor %p, %q : tensor<5x3xi1>
  %22 = stablehlo.convert %a : (tensor<5x3xi32>) -> tensor<5x3xi64>
  %23 = stablehlo.convert %u : (tensor<5x3xui8>) -> tensor<5x3xf32>
  %24 = stablehlo.select %p, %a, %b : tensor<5x3xi1>, tensor<5x3xi32>
  return
}

func.func private @of_complex_numbers(%a: tensor<5x3xcomplex<f32>>, %b: tensor<5x3xcomplex<f32>>) {
  %0 = stablehlo.exponential %a : tensor<5x3xcomplex<f32>>
  %1 = stablehlo.negate %a : tensor<5x3xcomplex<f32>>
  %2 = stablehlo.add %a, %b : tensor<5x3xcomplex<f32>>
  %3 = stablehlo.divide %a, %b : tensor<5x3xcomplex<f32>>
  %4 = stablehlo.multiply %a, %b : tensor<5x3xcomplex<f32>>
  %5 = stablehlo.subtract %a, %b : tensor<5x3xcomplex<f32>>
  %6 = stablehlo.real %a : (tensor<5x3xcomplex<f32>>) -> tensor<5x3xf32>
  %7 = stablehlo.imag %a : (tensor<5x3xcomplex<f32>>) -> tensor<5x3xf32>
  return
}

func.func private @of_quantized_numbers(%a: tensor<5x3xf32>, %q: tensor<5x3x!quant.uniform<i8:f32, 0.25>>) {
  %0 = stablehlo.uniform_quantize %a : (tensor<5x3xf32>) -> tensor<5x3x!quant.uniform<i8:f32, 0.25>>
  %1 = stablehlo.uniform_dequantize %q : (tensor<5x3x!quant.uniform<i8:f32, 0.25>>) -> tensor<5x3xf32>
  return
}

// RUN: spmd-run %s --engine=whole | FileCheck %s
// CHECK: equal: yes

// Arithmetic is that of the numbers the integers stand for; moving elements moves integers.
func.func @main() {
  %x = stablehlo.constant dense<[[-3.0, -0.26, 0.24], [0.25, 1.0, 100.0]]> : tensor<2x3xf32>
  %q = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5:-1>>
  %t = stablehlo.transpose %q, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-1>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5:-1>>
  %d = stablehlo.uniform_dequantize %t : (tensor<3x2x!quant.uniform<i8:f32, 0.5:-1>>) -> tensor<3x2xf32>
  %d_expected = stablehlo.constant dense<[[-3.0, 0.5], [-0.5, 1.0], [0.0, 64.0]]> : tensor<3x2xf32>
  stablehlo.custom_call @check.expect_eq(%d, %d_expected) {has_side_effect = true} : (tensor<3x2xf32>, tensor<3x2xf32>) -> ()

  // Of two scales, one a column.
  %p = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25:3, 2.0}>>
  %r = stablehlo.uniform_dequantize %p : (tensor<2x3x!quant.uniform<i8:f32:1, {0.5, 0.25:3, 2.0}>>) -> tensor<2x3xf32>
  %r_expected = stablehlo.constant dense<[[-3.0, -0.25, 0.0], [0.0, 1.0, 100.0]]> : tensor<2x3xf32>
  stablehlo.custom_call @check.expect_eq(%r, %r_expected) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()

  // Sums and products, each rounded to the type of its result.
  %s = stablehlo.add %q, %q : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-1>>, tensor<2x3x!quant.uniform<i8:f32, 0.5:-1>>) -> tensor<2x3x!quant.uniform<i8:f32, 1.0>>
  %s_f = stablehlo.uniform_dequantize %s : (tensor<2x3x!quant.uniform<i8:f32, 1.0>>) -> tensor<2x3xf32>
  %s_expected = stablehlo.constant dense<[[-6.0, -1.0, 0.0], [1.0, 2.0, 127.0]]> : tensor<2x3xf32>
  stablehlo.custom_call @check.expect_eq(%s_f, %s_expected) {has_side_effect = true} : (tensor<2x3xf32>, tensor<2x3xf32>) -> ()
  %w = stablehlo.uniform_quantize %x : (tensor<2x3xf32>) -> tensor<2x3x!quant.uniform<i8:f32, 0.5>>
  %v = stablehlo.transpose %w, dims = [1, 0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5>>) -> tensor<3x2x!quant.uniform<i8:f32, 0.5>>
  %m = stablehlo.dot_general %q, %v, contracting_dims = [1] x [0] : (tensor<2x3x!quant.uniform<i8:f32, 0.5:-1>>, tensor<3x2x!quant.uniform<i8:f32, 0.5>>) -> tensor<2x2x!quant.uniform<i32:f32, 0.25>>
  %m_f = stablehlo.uniform_dequantize %m : (tensor<2x2x!quant.uniform<i32:f32, 0.25>>) -> tensor<2x2xf32>
  %m_expected = stablehlo.constant dense<[[9.25, -0.5], [-2.0, 4065.0]]> : tensor<2x2xf32>
  stablehlo.custom_call @check.expect_eq(%m_f, %m_expected) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  return
}

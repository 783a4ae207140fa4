// RUN: spmd-run %s --engine=whole | FileCheck %s
// CHECK: equal: yes

// Ops that run as what they stand for. Feature 0 has the values 1, 3 and feature 1 the values 2, 6.
func.func @main() {
  %x = stablehlo.constant dense<[[1.0, 2.0], [3.0, 6.0]]> : tensor<2x2xf32>
  %scale = stablehlo.constant dense<[2.0, 1.0]> : tensor<2xf32>
  %offset = stablehlo.constant dense<[10.0, 0.5]> : tensor<2xf32>
  %norm:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) {epsilon = 0.0 : f32, feature_index = 1 : i64}
      : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  %norm_expected = stablehlo.constant dense<[[8.0, -0.5], [12.0, 1.5]]> : tensor<2x2xf32>
  %mean = stablehlo.constant dense<[2.0, 4.0]> : tensor<2xf32>
  %variance = stablehlo.constant dense<[1.0, 4.0]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_close(%norm#0, %norm_expected) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%norm#1, %mean) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%norm#2, %variance) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  %inferred = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) {epsilon = 0.0 : f32, feature_index = 1 : i64}
      : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x2xf32>
  stablehlo.custom_call @check.expect_close(%inferred, %norm_expected) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  // The gradient of a batch of two: what is alike, and what follows the values, cancels out.
  %g = stablehlo.constant dense<[[1.0, 3.0], [5.0, 3.0]]> : tensor<2x2xf32>
  %grad:3 = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %g) {epsilon = 0.0 : f32, feature_index = 1 : i64}
      : (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2x2xf32>) -> (tensor<2x2xf32>, tensor<2xf32>, tensor<2xf32>)
  %zeros = stablehlo.constant dense<0.0> : tensor<2x2xf32>
  %scale_grad = stablehlo.constant dense<[4.0, 0.0]> : tensor<2xf32>
  %offset_grad = stablehlo.constant dense<[6.0, 6.0]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_almost_eq(%grad#0, %zeros) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%grad#1, %scale_grad) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%grad#2, %offset_grad) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()

  %dot = stablehlo.dot %x, %scale : (tensor<2x2xf32>, tensor<2xf32>) -> tensor<2xf32>
  %dot_expected = stablehlo.constant dense<[4.0, 12.0]> : tensor<2xf32>
  stablehlo.custom_call @check.expect_eq(%dot, %dot_expected) {has_side_effect = true} : (tensor<2xf32>, tensor<2xf32>) -> ()
  %einsum = stablehlo.einsum %x, %g, config = "ab,cb->ca" : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  %einsum_expected = stablehlo.constant dense<[[7.0, 21.0], [11.0, 33.0]]> : tensor<2x2xf32>
  stablehlo.custom_call @check.expect_eq(%einsum, %einsum_expected) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  %trace = "stablehlo.unary_einsum"(%x) {einsum_config = "aa->"} : (tensor<2x2xf32>) -> tensor<f32>
  %seven = stablehlo.constant dense<7.0> : tensor<f32>
  stablehlo.custom_call @check.expect_eq(%trace, %seven) {has_side_effect = true} : (tensor<f32>, tensor<f32>) -> ()
  %wide = stablehlo.broadcast %mean, sizes = [2] : (tensor<2xf32>) -> tensor<2x2xf32>
  %wide_expected = stablehlo.constant dense<[[2.0, 4.0], [2.0, 4.0]]> : tensor<2x2xf32>
  stablehlo.custom_call @check.expect_eq(%wide, %wide_expected) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  %index = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi32>
  %rows = "stablehlo.torch_index_select"(%x, %index) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<2x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  %rows_expected = stablehlo.constant dense<[[3.0, 6.0], [1.0, 2.0], [3.0, 6.0]]> : tensor<3x2xf32>
  stablehlo.custom_call @check.expect_eq(%rows, %rows_expected) {has_side_effect = true} : (tensor<3x2xf32>, tensor<3x2xf32>) -> ()
  return
}

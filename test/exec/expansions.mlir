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
  %stack = stablehlo.constant dense<[[[1.0, 2.0], [3.0, 4.0]], [[5.0, 6.0], [7.0, 8.0]], [[9.0, 0.0], [1.0, 2.0]]]> : tensor<3x2x2xf32>
  %weights = stablehlo.constant dense<[[1.0, 2.0, 3.0], [10.0, 20.0, 30.0]]> : tensor<2x3xf32>
  %rest = stablehlo.einsum %stack, %weights, config = "...i,ij->j..." : (tensor<3x2x2xf32>, tensor<2x3xf32>) -> tensor<3x3x2xf32>
  %rest_expected = stablehlo.constant dense<[[[21.0, 43.0], [65.0, 87.0], [9.0, 21.0]], [[42.0, 86.0], [130.0, 174.0], [18.0, 42.0]], [[63.0, 129.0], [195.0, 261.0], [27.0, 63.0]]]> : tensor<3x3x2xf32>
  stablehlo.custom_call @check.expect_eq(%rest, %rest_expected) {has_side_effect = true} : (tensor<3x3x2xf32>, tensor<3x3x2xf32>) -> ()
  // The last dims of `...` are the same ones.
  %batches = stablehlo.einsum %stack, %x, config = "a...,...->a" : (tensor<3x2x2xf32>, tensor<2x2xf32>) -> tensor<3xf32>
  %batches_expected = stablehlo.einsum %stack, %x, config = "abc,bc->a" : (tensor<3x2x2xf32>, tensor<2x2xf32>) -> tensor<3xf32>
  stablehlo.custom_call @check.expect_eq(%batches, %batches_expected) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  %turned = "stablehlo.unary_einsum"(%stack) {einsum_config = "a...->...a"} : (tensor<3x2x2xf32>) -> tensor<2x2x3xf32>
  %turned_expected = stablehlo.transpose %stack, dims = [1, 2, 0] : (tensor<3x2x2xf32>) -> tensor<2x2x3xf32>
  stablehlo.custom_call @check.expect_eq(%turned, %turned_expected) {has_side_effect = true} : (tensor<2x2x3xf32>, tensor<2x2x3xf32>) -> ()
  %wide = stablehlo.broadcast %mean, sizes = [2] : (tensor<2xf32>) -> tensor<2x2xf32>
  %wide_expected = stablehlo.constant dense<[[2.0, 4.0], [2.0, 4.0]]> : tensor<2x2xf32>
  stablehlo.custom_call @check.expect_eq(%wide, %wide_expected) {has_side_effect = true} : (tensor<2x2xf32>, tensor<2x2xf32>) -> ()
  %index = stablehlo.constant dense<[1, 0, 1]> : tensor<3xi32>
  %rows = "stablehlo.torch_index_select"(%x, %index) {dim = 0 : i64, batch_dims = 0 : i64} : (tensor<2x2xf32>, tensor<3xi32>) -> tensor<3x2xf32>
  %rows_expected = stablehlo.constant dense<[[3.0, 6.0], [1.0, 2.0], [3.0, 6.0]]> : tensor<3x2xf32>
  stablehlo.custom_call @check.expect_eq(%rows, %rows_expected) {has_side_effect = true} : (tensor<3x2xf32>, tensor<3x2xf32>) -> ()
  return
}

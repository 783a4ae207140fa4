// RUN: spmd-opt %s --spmd-check-rules=all=true --verify-diagnostics -o %t

// Batches of matrices and of lines split; features are normalized one by one.
func.func private @solvers(%b: tensor<3x2x5xf32>, %turned: tensor<3x5x2xf32>) {
  %definite = stablehlo.constant dense<[[[4.0, 1.0], [1.0, 3.0]], [[9.0, 2.0], [2.0, 5.0]], [[2.0, 0.5], [0.5, 1.0]]]> : tensor<3x2x2xf32>
  %0 = stablehlo.cholesky %definite, lower = true : tensor<3x2x2xf32>
  %1 = "stablehlo.triangular_solve"(%definite, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<3x2x2xf32>, tensor<3x2x5xf32>) -> tensor<3x2x5xf32>
  %2 = "stablehlo.triangular_solve"(%definite, %turned) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<3x2x2xf32>, tensor<3x5x2xf32>) -> tensor<3x5x2xf32>
  return
}

func.func private @transforms(%x: tensor<3x5x6xf32>, %z: tensor<3x5x6xcomplex<f32>>) {
  %0 = stablehlo.fft %x, type = RFFT, length = [6] : (tensor<3x5x6xf32>) -> tensor<3x5x4xcomplex<f32>>
  %1 = stablehlo.fft %z, type = FFT, length = [5, 6] : (tensor<3x5x6xcomplex<f32>>) -> tensor<3x5x6xcomplex<f32>>
  %2 = stablehlo.fft %x, type = RFFT, length = [3, 5, 6] : (tensor<3x5x6xf32>) -> tensor<3x5x4xcomplex<f32>>
  %3 = stablehlo.fft %z, type = IRFFT, length = [3, 5, 10] : (tensor<3x5x6xcomplex<f32>>) -> tensor<3x5x10xf32>
  return
}

func.func private @norms(%x: tensor<5x7x2xf32>, %g: tensor<5x7x2xf32>, %scale: tensor<7xf32>, %offset: tensor<7xf32>, %mean: tensor<7xf32>) {
  %variance = stablehlo.constant dense<[0.5, 1.0, 2.0, 0.25, 1.5, 3.0, 4.0]> : tensor<7xf32>
  %normed:3 = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>) -> (tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>)
  %given = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) -> tensor<5x7x2xf32>
  %gradient:3 = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %g) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<5x7x2xf32>) -> (tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>)
  return
}

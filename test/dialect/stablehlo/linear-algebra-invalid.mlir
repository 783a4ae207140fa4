// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// cholesky_c1
func.func @cholesky_c1(%a: tensor<3x2x2xf32>) {
  // expected-error@below {{'stablehlo.cholesky' op result 0 has size 4 in dim 0, operand 0 has size 3}}
  %0 = "stablehlo.cholesky"(%a) : (tensor<3x2x2xf32>) -> tensor<4x2x2xf32>
  return
}

// -----

// cholesky_c2
func.func @cholesky_c2(%a: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.cholesky' op operand 0 has rank 1, expected at least 2}}
  %0 = stablehlo.cholesky %a : tensor<2xf32>
  return
}

// -----

// cholesky_c3
func.func @cholesky_c3(%a: tensor<4x2x3xf32>) {
  // expected-error@below {{'stablehlo.cholesky' op operand 0 has matrices of 2x3, expected square ones}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x2x3xf32>
  return
}

// -----

// triangular_solve_c1
func.func @triangular_solve_c1(%a: tensor<4x4xf32>, %b: tensor<4x3xf64>) {
  // expected-error@below {{'stablehlo.triangular_solve' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf64>) -> tensor<4x3xf64>
  return
}

// -----

// triangular_solve_c2
func.func @triangular_solve_c2(%a: tensor<4xf32>, %b: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.triangular_solve' op operand 0 has rank 1, expected at least 2}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// triangular_solve_c2
func.func @triangular_solve_c2_ranks(%a: tensor<2x4x4xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{'stablehlo.triangular_solve' op operand 1 has rank 2, operand 0 has rank 3}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// triangular_solve_c3
func.func @triangular_solve_c3_square(%a: tensor<4x5xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{'stablehlo.triangular_solve' op operand 0 has matrices of 4x5, expected square ones}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x5xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// triangular_solve_c3
func.func @triangular_solve_c3_batch(%a: tensor<2x4x4xf32>, %b: tensor<3x4x5xf32>) {
  // expected-error@below {{'stablehlo.triangular_solve' op operand 1 has size 3 in dim 0, operand 0 has size 2}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<2x4x4xf32>, tensor<3x4x5xf32>) -> tensor<3x4x5xf32>
  return
}

// -----

// triangular_solve_c3
func.func @triangular_solve_c3_right(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{'stablehlo.triangular_solve' op operand 1 has size 3 in dim 1, the matrices of operand 0 have size 4}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

func.func @triangular_solve_transpose(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{'stablehlo.triangular_solve' op transpose_a is TRANSPOSE_INVALID; it is NO_TRANSPOSE, TRANSPOSE or ADJOINT}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE_INVALID>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// triangular_solve_c4
func.func @triangular_solve_c4(%a: tensor<4x4xf32>, %b: tensor<4x3xf32>) {
  // expected-error@below {{'stablehlo.triangular_solve' op result 0 has size 4 in dim 1, operand 1 has size 3}}
  %0 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<4x4xf32>, tensor<4x3xf32>) -> tensor<4x4xf32>
  return
}

// -----

// fft_c1
func.func @fft_c1(%x: tensor<4xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.fft' op fft_length has 2 entries, expected 1 to 3 and at most the rank of operand 0, 1}}
  %0 = stablehlo.fft %x, type = FFT, length = [4, 4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

// fft_c2
func.func @fft_c2_operand(%x: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.fft' op operand 0 has element type 'f32', FFT takes complex numbers}}
  %0 = stablehlo.fft %x, type = FFT, length = [4] : (tensor<4xf32>) -> tensor<4xcomplex<f32>>
  return
}

// -----

// fft_c2
func.func @fft_c2_result(%x: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.fft' op result 0 has element type 'f32', RFFT gives complex numbers}}
  %0 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

// fft_c2
func.func @fft_c2_width(%x: tensor<4xf64>) {
  // expected-error@below {{'stablehlo.fft' op result 0 has element type 'complex<f32>', operand 0 has 'f64'}}
  %0 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<4xf64>) -> tensor<3xcomplex<f32>>
  return
}

// -----

// fft_c3
func.func @fft_c3(%x: tensor<4xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.fft' op fft_length has 0 entries, expected 1 to 3 and at most the rank of operand 0, 1}}
  %0 = stablehlo.fft %x, type = FFT, length = [] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

// fft_c4
func.func @fft_c4(%x: tensor<2x4xf32>) {
  // expected-error@below {{'stablehlo.fft' op operand 0 has size 4 in dim 1, fft_length has 5}}
  %0 = stablehlo.fft %x, type = RFFT, length = [5] : (tensor<2x4xf32>) -> tensor<2x3xcomplex<f32>>
  return
}

// -----

// fft_c5
func.func @fft_c5(%x: tensor<2x4xf32>) {
  // expected-error@below {{'stablehlo.fft' op result 0 has size 4 in dim 1, expected 3}}
  %0 = stablehlo.fft %x, type = RFFT, length = [4] : (tensor<2x4xf32>) -> tensor<2x4xcomplex<f32>>
  return
}

// -----

// fft_c5
func.func @fft_c5_inverse(%x: tensor<2x4xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.fft' op operand 0 has size 4 in its last dim, expected 3 for an fft_length of 4}}
  %0 = stablehlo.fft %x, type = IRFFT, length = [4] : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xf32>
  return
}

// -----

func.func @fft_negative(%x: tensor<2x4xcomplex<f32>>) {
  // expected-error@below {{'stablehlo.fft' op fft_length has -4 at 0; it is at least 0}}
  %0 = stablehlo.fft %x, type = FFT, length = [-4] : (tensor<2x4xcomplex<f32>>) -> tensor<2x4xcomplex<f32>>
  return
}

// -----

func.func @fft_name(%x: tensor<4xcomplex<f32>>) {
  // expected-error@below {{custom op 'stablehlo.fft' 'DFT' is no fft type}}
  %0 = stablehlo.fft %x, type = DFT, length = [4] : (tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>>
  return
}

// -----

// batch_norm_inference_c1
func.func @batch_norm_inference_c1(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_inference' op feature_index is 2, operand 0 has rank 2}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 2 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// batch_norm_inference_c2
func.func @batch_norm_inference_c2(%x: tensor<2x3xf32>, %s: tensor<3xf64>) {
  // expected-error@below {{'stablehlo.batch_norm_inference' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>, tensor<3xf64>) -> tensor<2x3xf32>
  return
}

// -----

// batch_norm_inference_c3
func.func @batch_norm_inference_c3(%x: tensor<2x3xf32>, %s: tensor<2xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_inference' op operand 1 has size 2 in dim 0, expected 3}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>, tensor<2xf32>) -> tensor<2x3xf32>
  return
}

// -----

func.func @batch_norm_inference_rank(%x: tensor<2x3xf32>, %s: tensor<1x3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_inference' op operand 1 has rank 2, expected 1}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// batch_norm_inference_c7
func.func @batch_norm_inference_c7(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_inference' op result 0 has size 3 in dim 0, operand 0 has size 2}}
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  return
}

// -----

// batch_norm_training_c1
func.func @batch_norm_training_c1(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_training' op feature_index is -1, operand 0 has rank 2}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = -1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// batch_norm_training_c5
func.func @batch_norm_training_c5(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_training' op result 1 has size 4 in dim 0, expected 3}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<4xf32>, tensor<3xf32>)
  return
}

// -----

// batch_norm_training_c7
func.func @batch_norm_training_c7(%x: tensor<2x3xf32>, %s: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_training' op result 0 has size 3 in dim 0, operand 0 has size 2}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<3x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// batch_norm_grad_c3
func.func @batch_norm_grad_c3(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %g: tensor<4x3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_grad' op operand 4 has size 4 in dim 0, operand 0 has size 2}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %g) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// batch_norm_grad_c4
func.func @batch_norm_grad_c4(%x: tensor<2x3xf32>, %s: tensor<3xf32>, %g: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_grad' op result 2 has size 5 in dim 0, expected 3}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %g) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>, tensor<5xf32>)
  return
}

// -----

// batch_norm_training_c2
func.func @batch_norm_training_c2(%x: tensor<4x3xf32>, %a: tensor<3xf64>, %b: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_training' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %a, %b) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<3xf64>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// batch_norm_training_c3
func.func @batch_norm_training_c3(%x: tensor<4x3xf32>, %a: tensor<2xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_training' op operand 1 has size 2 in dim 0, expected 3}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %a, %b) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<2xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// batch_norm_training_c4
func.func @batch_norm_training_c4(%x: tensor<4x3xf32>, %a: tensor<3xf32>, %b: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_training' op operand 2 has size 4 in dim 0, expected 3}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %a, %b) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// batch_norm_training_c6
func.func @batch_norm_training_c6(%x: tensor<4x3xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_training' op result 2 has size 4 in dim 0, expected 3}}
  %0:3 = "stablehlo.batch_norm_training"(%x, %a, %b) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>)
  return
}

// -----

// batch_norm_inference_c4
func.func @batch_norm_inference_c4(%x: tensor<4x3xf32>, %a: tensor<3xf32>, %b: tensor<4xf32>, %c: tensor<3xf32>, %d: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_inference' op operand 2 has size 4 in dim 0, expected 3}}
  %0 = "stablehlo.batch_norm_inference"(%x, %a, %b, %c, %d) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// batch_norm_inference_c5
func.func @batch_norm_inference_c5(%x: tensor<4x3xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<4xf32>, %d: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_inference' op operand 3 has size 4 in dim 0, expected 3}}
  %0 = "stablehlo.batch_norm_inference"(%x, %a, %b, %c, %d) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>, tensor<3xf32>) -> tensor<4x3xf32>
  return
}

// -----

// batch_norm_inference_c6
func.func @batch_norm_inference_c6(%x: tensor<4x3xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_inference' op operand 4 has size 4 in dim 0, expected 3}}
  %0 = "stablehlo.batch_norm_inference"(%x, %a, %b, %c, %d) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4xf32>) -> tensor<4x3xf32>
  return
}

// -----

// batch_norm_grad_c1
func.func @batch_norm_grad_c1(%x: tensor<4x3xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<4x3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_grad' op feature_index is 2, operand 0 has rank 2}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %a, %b, %c, %d) <{epsilon = 0.0 : f32, feature_index = 2 : i64}> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// batch_norm_grad_c2
func.func @batch_norm_grad_c2(%x: tensor<4x3xf32>, %a: tensor<3xf64>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<4x3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_grad' op operand 1 has element type 'f64', operand 0 has 'f32'}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %a, %b, %c, %d) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<3xf64>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

// -----

// batch_norm_grad_c5
func.func @batch_norm_grad_c5(%x: tensor<4x3xf32>, %a: tensor<3xf32>, %b: tensor<3xf32>, %c: tensor<3xf32>, %d: tensor<4x3xf32>) {
  // expected-error@below {{'stablehlo.batch_norm_grad' op result 2 has size 4 in dim 0, expected 3}}
  %0:3 = "stablehlo.batch_norm_grad"(%x, %a, %b, %c, %d) <{epsilon = 0.0 : f32, feature_index = 1 : i64}> : (tensor<4x3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<4x3xf32>) -> (tensor<4x3xf32>, tensor<3xf32>, tensor<4xf32>)
  return
}

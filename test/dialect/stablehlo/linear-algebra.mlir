// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @matrices
func.func @matrices(%a: tensor<3x4x4xf32>, %b: tensor<3x4x2xf32>) {
  // CHECK: stablehlo.cholesky %{{.*}} : tensor<3x4x4xf32>
  %0 = stablehlo.cholesky %a : tensor<3x4x4xf32>
  // CHECK: stablehlo.cholesky %{{.*}}, lower = true : tensor<3x4x4xf32>
  %1 = stablehlo.cholesky %a, lower = true : tensor<3x4x4xf32>
  // CHECK: "stablehlo.triangular_solve"(%{{.*}}, %{{.*}}) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x4x4xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
  %2 = "stablehlo.triangular_solve"(%a, %b) <{left_side = true, lower = false, transpose_a = #stablehlo<transpose ADJOINT>, unit_diagonal = true}> : (tensor<3x4x4xf32>, tensor<3x4x2xf32>) -> tensor<3x4x2xf32>
  return
}

// CHECK-LABEL: func @transforms
func.func @transforms(%c: tensor<2x6xcomplex<f32>>, %x: tensor<2x6xf64>, %z: tensor<0xf32>) {
  // CHECK: stablehlo.fft %{{.*}}, type = FFT, length = [2, 6] : (tensor<2x6xcomplex<f32>>) -> tensor<2x6xcomplex<f32>>
  %0 = stablehlo.fft %c, type = FFT, length = [2, 6] : (tensor<2x6xcomplex<f32>>) -> tensor<2x6xcomplex<f32>>
  // CHECK: stablehlo.fft %{{.*}}, type = IFFT, length = [6] : (tensor<2x6xcomplex<f32>>) -> tensor<2x6xcomplex<f32>>
  %1 = stablehlo.fft %c, type = IFFT, length = [6] : (tensor<2x6xcomplex<f32>>) -> tensor<2x6xcomplex<f32>>
  // CHECK: stablehlo.fft %{{.*}}, type = RFFT, length = [6] : (tensor<2x6xf64>) -> tensor<2x4xcomplex<f64>>
  %2 = stablehlo.fft %x, type = RFFT, length = [6] : (tensor<2x6xf64>) -> tensor<2x4xcomplex<f64>>
  // CHECK: stablehlo.fft %{{.*}}, type = IRFFT, length = [11] : (tensor<2x6xcomplex<f32>>) -> tensor<2x11xf32>
  %3 = stablehlo.fft %c, type = IRFFT, length = [11] : (tensor<2x6xcomplex<f32>>) -> tensor<2x11xf32>
  // CHECK: stablehlo.fft %{{.*}}, type = RFFT, length = [0] : (tensor<0xf32>) -> tensor<0xcomplex<f32>>
  %4 = stablehlo.fft %z, type = RFFT, length = [0] : (tensor<0xf32>) -> tensor<0xcomplex<f32>>
  return
}

// CHECK-LABEL: func @norms
func.func @norms(%x: tensor<2x3x4xf32>, %s: tensor<3xf32>) {
  // CHECK: "stablehlo.batch_norm_inference"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  %0 = "stablehlo.batch_norm_inference"(%x, %s, %s, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<2x3x4xf32>
  // CHECK: "stablehlo.batch_norm_training"(%{{.*}}, %{{.*}}, %{{.*}}) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  %1:3 = "stablehlo.batch_norm_training"(%x, %s, %s) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  // CHECK: "stablehlo.batch_norm_grad"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  %2:3 = "stablehlo.batch_norm_grad"(%x, %s, %s, %s, %x) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<2x3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3xf32>, tensor<3xf32>)
  return
}

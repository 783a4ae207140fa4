// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s
// Ops that rearrange elements.

// CHECK-LABEL: func.func @broadcast_in_dim(
// CHECK: %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
func.func @broadcast_in_dim(%arg0: tensor<3xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.broadcast_in_dim %arg0, dims = [1] : (tensor<3xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.broadcast_in_dim %arg1, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @reshape(
// CHECK: %0 = stablehlo.reshape %arg0 : (tensor<2x6xf32>) -> tensor<3x4xf32>
func.func @reshape(%arg0: tensor<2x6xf32>) {
  %0 = stablehlo.reshape %arg0 : (tensor<2x6xf32>) -> tensor<3x4xf32>
  return
}

// CHECK-LABEL: func.func @transpose(
// CHECK: %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
func.func @transpose(%arg0: tensor<2x3x4xf32>) {
  %0 = stablehlo.transpose %arg0, dims = [2, 0, 1] : (tensor<2x3x4xf32>) -> tensor<4x2x3xf32>
  return
}

// CHECK-LABEL: func.func @reverse(
// CHECK: %0 = stablehlo.reverse %arg0, dims = [1, 0] : tensor<2x3xf32>
func.func @reverse(%arg0: tensor<2x3xf32>) {
  %0 = stablehlo.reverse %arg0, dims = [1, 0] : tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @slice_steps_of_one_are_not_written(
// CHECK: %0 = stablehlo.slice %arg0 [1:3, 0:9:4] : (tensor<4x9xf32>) -> tensor<2x3xf32>
// CHECK-NEXT: %1 = stablehlo.slice %arg1 [] : (tensor<f32>) -> tensor<f32>
func.func @slice_steps_of_one_are_not_written(%arg0: tensor<4x9xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.slice %arg0 [1:3, 0:9:4] : (tensor<4x9xf32>) -> tensor<2x3xf32>
  %1 = stablehlo.slice %arg1 [] : (tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func.func @concatenate(
// CHECK: %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
// CHECK-NEXT: %1 = stablehlo.concatenate %arg0, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
func.func @concatenate(%arg0: tensor<2x3xf32>, %arg1: tensor<2x4xf32>) {
  %0 = stablehlo.concatenate %arg0, %arg1, dim = 1 : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x7xf32>
  %1 = stablehlo.concatenate %arg0, dim = 0 : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func.func @pad_may_be_negative(
// CHECK: %0 = stablehlo.pad %arg0, %arg1, low = [1, -1], high = [0, 2], interior = [2, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x4xf32>
func.func @pad_may_be_negative(%arg0: tensor<2x3xf32>, %arg1: tensor<f32>) {
  %0 = stablehlo.pad %arg0, %arg1, low = [1, -1], high = [0, 2], interior = [2, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x4xf32>
  return
}

// CHECK-LABEL: func.func @bounds_of_dynamic_dims(
// CHECK: %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<3x?xf32, #stablehlo.bounds<?, 4>>
func.func @bounds_of_dynamic_dims(%arg0: tensor<?x3xf32, #stablehlo.bounds<4, ?>>) {
  %0 = stablehlo.transpose %arg0, dims = [1, 0] : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<3x?xf32, #stablehlo.bounds<?, 4>>
  return
}

// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @shape
func.func @shape(%x: tensor<2x3xf32>, %s: tensor<f32>) {
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  %0 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<2x3xf32>
  // CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  %1 = stablehlo.broadcast_in_dim %x, dims = [0, 2] : (tensor<2x3xf32>) -> tensor<2x4x3xf32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2x3xf32>) -> tensor<6xf32>
  %2 = stablehlo.reshape %x : (tensor<2x3xf32>) -> tensor<6xf32>
  // CHECK: stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %3 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  // CHECK: stablehlo.reverse %{{.*}}, dims = [1] : tensor<2x3xf32>
  %4 = stablehlo.reverse %x, dims = [1] : tensor<2x3xf32>
  // CHECK: stablehlo.slice %{{.*}} [1:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  %5 = stablehlo.slice %x [1:2, 0:3:2] : (tensor<2x3xf32>) -> tensor<1x2xf32>
  // CHECK: stablehlo.slice %{{.*}} [] : (tensor<f32>) -> tensor<f32>
  %6 = stablehlo.slice %s [] : (tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.concatenate %{{.*}}, %{{.*}}, %{{.*}}, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
  %7 = stablehlo.concatenate %x, %x, %x, dim = 1 : (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x9xf32>
  // CHECK: stablehlo.pad %{{.*}}, %{{.*}}, low = [0, -1], high = [2, 1], interior = [1, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x3xf32>
  %8 = stablehlo.pad %x, %s, low = [0, -1], high = [2, 1], interior = [1, 0] : (tensor<2x3xf32>, tensor<f32>) -> tensor<5x3xf32>
  return
}

// CHECK-LABEL: func @bounded
func.func @bounded(%x: tensor<?x3xf32, #stablehlo.bounds<4, ?>>) {
  // CHECK: stablehlo.negate %{{.*}} : tensor<?x3xf32, #stablehlo.bounds<4, ?>>
  %0 = stablehlo.negate %x : tensor<?x3xf32, #stablehlo.bounds<4, ?>>
  return
}

// CHECK-LABEL: func @broadcast
func.func @broadcast(%x: tensor<3xf32>) {
  // CHECK: stablehlo.broadcast %{{.*}}, sizes = [2, 0] : (tensor<3xf32>) -> tensor<2x0x3xf32>
  %0 = stablehlo.broadcast %x, sizes = [2, 0] : (tensor<3xf32>) -> tensor<2x0x3xf32>
  return
}

// RUN: spmd-opt %s --spmd-import-shardings | FileCheck %s
// Layouts and shapes that XLA wrote beside ops are of whole tensors; what else stands there stays, and so do the layouts of a
// custom call, which are a part of it.
// CHECK-LABEL: func @main
// CHECK: %[[T:.*]] = stablehlo.transpose %arg0, dims = [1, 0] {mine = 3 : i64} : (tensor<6x4xf32>) -> tensor<4x6xf32>
// CHECK: stablehlo.dot_general %[[T]], %arg0, contracting_dims = [1] x [0] : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
// CHECK: stablehlo.custom_call @f({{.*}}) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]}
func.func @main(%x: tensor<6x4xf32>) -> tensor<4x4xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] {mine = 3 : i64, result_layout = dense<[0, 1]> : tensor<2xindex>, xla_shape = "f32[4,6]{0,1}"} : (tensor<6x4xf32>) -> tensor<4x6xf32>
  %1 = stablehlo.dot_general %0, %x, contracting_dims = [1] x [0] {xla_shape = "f32[4,4]{0,1}"} : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
  %2 = stablehlo.custom_call @f(%1) {operand_layouts = [dense<[0, 1]> : tensor<2xindex>], result_layouts = [dense<[0, 1]> : tensor<2xindex>]} : (tensor<4x4xf32>) -> tensor<4x4xf32>
  return %2 : tensor<4x4xf32>
}

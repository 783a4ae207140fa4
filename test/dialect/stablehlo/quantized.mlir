// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @quantize
func.func @quantize(%x: tensor<2xf32>, %q: tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>, %p: tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:1,2.000000e-01:2}>>) {
  // CHECK: stablehlo.uniform_quantize %{{.*}} : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>
  %0 = stablehlo.uniform_quantize %x : (tensor<2xf32>) -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>
  // CHECK: stablehlo.uniform_quantize %{{.*}} : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>) -> tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:1,2.000000e-01:2}>>
  %1 = stablehlo.uniform_quantize %q : (tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>) -> tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:1,2.000000e-01:2}>>
  // CHECK: stablehlo.uniform_dequantize %{{.*}} : (tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:1,2.000000e-01:2}>>) -> tensor<2xf32>
  %2 = stablehlo.uniform_dequantize %p : (tensor<2x!quant.uniform<i8:f32:0, {1.000000e-01:1,2.000000e-01:2}>>) -> tensor<2xf32>
  // CHECK: stablehlo.constant() <{value = dense<[1, -2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>
  %3 = stablehlo.constant() <{value = dense<[1, -2]> : tensor<2xi8>}> : () -> tensor<2x!quant.uniform<i8:f32, 5.000000e-01:2>>
  return
}

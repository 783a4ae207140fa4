// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func.func @square(
// CHECK: %0 = chlo.square %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
func.func @square(%arg0: tensor<2x3xf32>) {
  %0 = chlo.square %arg0 : tensor<2x3xf32> -> tensor<2x3xf32>
  return
}

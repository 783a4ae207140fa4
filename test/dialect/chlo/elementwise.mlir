// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func @square
// GENERIC: sym_name = "square"
func.func @square(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // CHECK: chlo.square %{{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
  // GENERIC: "chlo.square"(%{{.*}}) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  %0 = chlo.square %x : tensor<2x3xf32> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

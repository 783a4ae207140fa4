// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s
// Ops that make a tensor from nothing.

// CHECK-LABEL: func.func @constants(
// CHECK: %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
// CHECK-NEXT: %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x3xf32>
// CHECK-NEXT: %c_0 = stablehlo.constant dense<true> : tensor<i1>
// CHECK-NEXT: %cst_1 = stablehlo.constant {mhlo.note = "kept"} dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
func.func @constants() {
  %c = stablehlo.constant dense<[1, 2, 3]> : tensor<3xi32>
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<2x3xf32>
  %c_0 = stablehlo.constant dense<true> : tensor<i1>
  %cst_1 = stablehlo.constant {mhlo.note = "kept"} dense<(1.000000e+00,2.000000e+00)> : tensor<complex<f32>>
  return
}

// CHECK-LABEL: func.func @iota(
// CHECK: %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
func.func @iota() {
  %0 = stablehlo.iota dim = 1 : tensor<2x3xi32>
  return
}

// CHECK-LABEL: func.func @places_of_the_running_device(
// CHECK: %0 = stablehlo.partition_id : tensor<ui32>
// CHECK-NEXT: %1 = stablehlo.replica_id : tensor<ui32>
func.func @places_of_the_running_device() {
  %0 = stablehlo.partition_id : tensor<ui32>
  %1 = stablehlo.replica_id : tensor<ui32>
  return
}

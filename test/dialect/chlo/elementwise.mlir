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

// CHECK-LABEL: func @unary
func.func @unary(%x: tensor<2xf32>) {
  // CHECK-NEXT: chlo.acos %{{.*}} : tensor<2xf32> -> tensor<2xf32>
  %0 = chlo.acos %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.acosh
  %1 = chlo.acosh %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.asin
  %2 = chlo.asin %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.asinh
  %3 = chlo.asinh %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.atan
  %4 = chlo.atan %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.atanh
  %5 = chlo.atanh %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.bessel_i1e
  %6 = chlo.bessel_i1e %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.cosh
  %7 = chlo.cosh %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.digamma
  %8 = chlo.digamma %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.erf
  %9 = chlo.erf %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.erf_inv
  %10 = chlo.erf_inv %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.erfc
  %11 = chlo.erfc %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.lgamma
  %12 = chlo.lgamma %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.sinh
  %13 = chlo.sinh %x : tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.tan
  %14 = chlo.tan %x : tensor<2xf32> -> tensor<2xf32>
  return
}

// CHECK-LABEL: func @complex
func.func @complex(%z: tensor<2xcomplex<f64>>) {
  // CHECK-NEXT: chlo.conj %{{.*}} : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  %0 = chlo.conj %z : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  // CHECK-NEXT: chlo._asin_acos_kernel
  %1 = chlo._asin_acos_kernel %z : tensor<2xcomplex<f64>> -> tensor<2xcomplex<f64>>
  return
}

// CHECK-LABEL: func @predicates
func.func @predicates(%x: tensor<2xbf16>) {
  // CHECK-NEXT: chlo.is_inf %{{.*}} : tensor<2xbf16> -> tensor<2xi1>
  %0 = chlo.is_inf %x : tensor<2xbf16> -> tensor<2xi1>
  // CHECK-NEXT: chlo.is_neg_inf
  %1 = chlo.is_neg_inf %x : tensor<2xbf16> -> tensor<2xi1>
  // CHECK-NEXT: chlo.is_pos_inf
  %2 = chlo.is_pos_inf %x : tensor<2xbf16> -> tensor<2xi1>
  return
}

// CHECK-LABEL: func @binary
func.func @binary(%i: tensor<2xui8>, %x: tensor<2xf32>) {
  // CHECK-NEXT: chlo.mulhi %{{.*}}, %{{.*}} : tensor<2xui8>, tensor<2xui8> -> tensor<2xui8>
  %0 = chlo.mulhi %i, %i : tensor<2xui8>, tensor<2xui8> -> tensor<2xui8>
  // CHECK-NEXT: chlo.next_after %{{.*}}, %{{.*}} : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  %1 = chlo.next_after %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.polygamma
  %2 = chlo.polygamma %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  // CHECK-NEXT: chlo.zeta
  %3 = chlo.zeta %x, %x : tensor<2xf32>, tensor<2xf32> -> tensor<2xf32>
  return
}

// CHECK-LABEL: func @constants
func.func @constants(%x: tensor<2xf32>) -> tensor<2xf32> {
  // CHECK-NEXT: chlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK-NEXT: "chlo.constant_like"(%{{.*}}) <{value = 3.200000e+00 : f32}> : (tensor<2xf32>) -> tensor<2xf32>
  %1 = "chlo.constant_like"(%x) {value = 3.2 : f32} : (tensor<2xf32>) -> tensor<2xf32>
  return %1 : tensor<2xf32>
}

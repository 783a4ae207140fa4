// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @elements
func.func @elements(%0: tensor<2xi1>, %1: tensor<2xi2>, %2: tensor<2xi4>, %3: tensor<2xi8>, %4: tensor<2xi16>, %5: tensor<2xi32>, %6: tensor<2xi64>, %7: tensor<2xui2>, %8: tensor<2xui4>, %9: tensor<2xui8>, %10: tensor<2xui16>, %11: tensor<2xui32>, %12: tensor<2xui64>, %13: tensor<2xf4E2M1FN>, %14: tensor<2xf6E2M3FN>, %15: tensor<2xf6E3M2FN>, %16: tensor<2xf8E3M4>, %17: tensor<2xf8E4M3>, %18: tensor<2xf8E4M3FN>, %19: tensor<2xf8E4M3FNUZ>, %20: tensor<2xf8E4M3B11FNUZ>, %21: tensor<2xf8E5M2>, %22: tensor<2xf8E5M2FNUZ>, %23: tensor<2xf8E8M0FNU>, %24: tensor<2xbf16>, %25: tensor<2xf16>, %26: tensor<2xf32>, %27: tensor<2xf64>, %28: tensor<2xcomplex<f32>>, %29: tensor<2xcomplex<f64>>, %30: tensor<2x!quant.uniform<i4:f32, 5.000000e-01:1>>, %31: tensor<2x!quant.uniform<i8<-100:100>:f32, 5.000000e-01>>, %32: tensor<2x!quant.uniform<i16:f32:0, {1.000000e-01,2.000000e-01:3}>>) {
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xi1>) -> tensor<2x1xi1>
  %b0 = stablehlo.reshape %0 : (tensor<2xi1>) -> tensor<2x1xi1>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xi2>) -> tensor<2x1xi2>
  %b1 = stablehlo.reshape %1 : (tensor<2xi2>) -> tensor<2x1xi2>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xi4>) -> tensor<2x1xi4>
  %b2 = stablehlo.reshape %2 : (tensor<2xi4>) -> tensor<2x1xi4>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xi8>) -> tensor<2x1xi8>
  %b3 = stablehlo.reshape %3 : (tensor<2xi8>) -> tensor<2x1xi8>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xi16>) -> tensor<2x1xi16>
  %b4 = stablehlo.reshape %4 : (tensor<2xi16>) -> tensor<2x1xi16>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xi32>) -> tensor<2x1xi32>
  %b5 = stablehlo.reshape %5 : (tensor<2xi32>) -> tensor<2x1xi32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xi64>) -> tensor<2x1xi64>
  %b6 = stablehlo.reshape %6 : (tensor<2xi64>) -> tensor<2x1xi64>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xui2>) -> tensor<2x1xui2>
  %b7 = stablehlo.reshape %7 : (tensor<2xui2>) -> tensor<2x1xui2>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xui4>) -> tensor<2x1xui4>
  %b8 = stablehlo.reshape %8 : (tensor<2xui4>) -> tensor<2x1xui4>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xui8>) -> tensor<2x1xui8>
  %b9 = stablehlo.reshape %9 : (tensor<2xui8>) -> tensor<2x1xui8>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xui16>) -> tensor<2x1xui16>
  %b10 = stablehlo.reshape %10 : (tensor<2xui16>) -> tensor<2x1xui16>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xui32>) -> tensor<2x1xui32>
  %b11 = stablehlo.reshape %11 : (tensor<2xui32>) -> tensor<2x1xui32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xui64>) -> tensor<2x1xui64>
  %b12 = stablehlo.reshape %12 : (tensor<2xui64>) -> tensor<2x1xui64>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf4E2M1FN>) -> tensor<2x1xf4E2M1FN>
  %b13 = stablehlo.reshape %13 : (tensor<2xf4E2M1FN>) -> tensor<2x1xf4E2M1FN>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf6E2M3FN>) -> tensor<2x1xf6E2M3FN>
  %b14 = stablehlo.reshape %14 : (tensor<2xf6E2M3FN>) -> tensor<2x1xf6E2M3FN>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf6E3M2FN>) -> tensor<2x1xf6E3M2FN>
  %b15 = stablehlo.reshape %15 : (tensor<2xf6E3M2FN>) -> tensor<2x1xf6E3M2FN>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf8E3M4>) -> tensor<2x1xf8E3M4>
  %b16 = stablehlo.reshape %16 : (tensor<2xf8E3M4>) -> tensor<2x1xf8E3M4>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf8E4M3>) -> tensor<2x1xf8E4M3>
  %b17 = stablehlo.reshape %17 : (tensor<2xf8E4M3>) -> tensor<2x1xf8E4M3>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf8E4M3FN>) -> tensor<2x1xf8E4M3FN>
  %b18 = stablehlo.reshape %18 : (tensor<2xf8E4M3FN>) -> tensor<2x1xf8E4M3FN>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf8E4M3FNUZ>) -> tensor<2x1xf8E4M3FNUZ>
  %b19 = stablehlo.reshape %19 : (tensor<2xf8E4M3FNUZ>) -> tensor<2x1xf8E4M3FNUZ>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf8E4M3B11FNUZ>) -> tensor<2x1xf8E4M3B11FNUZ>
  %b20 = stablehlo.reshape %20 : (tensor<2xf8E4M3B11FNUZ>) -> tensor<2x1xf8E4M3B11FNUZ>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf8E5M2>) -> tensor<2x1xf8E5M2>
  %b21 = stablehlo.reshape %21 : (tensor<2xf8E5M2>) -> tensor<2x1xf8E5M2>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf8E5M2FNUZ>) -> tensor<2x1xf8E5M2FNUZ>
  %b22 = stablehlo.reshape %22 : (tensor<2xf8E5M2FNUZ>) -> tensor<2x1xf8E5M2FNUZ>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf8E8M0FNU>) -> tensor<2x1xf8E8M0FNU>
  %b23 = stablehlo.reshape %23 : (tensor<2xf8E8M0FNU>) -> tensor<2x1xf8E8M0FNU>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xbf16>) -> tensor<2x1xbf16>
  %b24 = stablehlo.reshape %24 : (tensor<2xbf16>) -> tensor<2x1xbf16>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf16>) -> tensor<2x1xf16>
  %b25 = stablehlo.reshape %25 : (tensor<2xf16>) -> tensor<2x1xf16>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf32>) -> tensor<2x1xf32>
  %b26 = stablehlo.reshape %26 : (tensor<2xf32>) -> tensor<2x1xf32>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xf64>) -> tensor<2x1xf64>
  %b27 = stablehlo.reshape %27 : (tensor<2xf64>) -> tensor<2x1xf64>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  %b28 = stablehlo.reshape %28 : (tensor<2xcomplex<f32>>) -> tensor<2x1xcomplex<f32>>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  %b29 = stablehlo.reshape %29 : (tensor<2xcomplex<f64>>) -> tensor<2x1xcomplex<f64>>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2x!quant.uniform<i4:f32, 5.000000e-01:1>>) -> tensor<2x1x!quant.uniform<i4:f32, 5.000000e-01:1>>
  %b30 = stablehlo.reshape %30 : (tensor<2x!quant.uniform<i4:f32, 5.000000e-01:1>>) -> tensor<2x1x!quant.uniform<i4:f32, 5.000000e-01:1>>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2x!quant.uniform<i8<-100:100>:f32, 5.000000e-01>>) -> tensor<2x1x!quant.uniform<i8<-100:100>:f32, 5.000000e-01>>
  %b31 = stablehlo.reshape %31 : (tensor<2x!quant.uniform<i8<-100:100>:f32, 5.000000e-01>>) -> tensor<2x1x!quant.uniform<i8<-100:100>:f32, 5.000000e-01>>
  // CHECK: stablehlo.reshape %{{.*}} : (tensor<2x!quant.uniform<i16:f32:0, {1.000000e-01,2.000000e-01:3}>>) -> tensor<2x1x!quant.uniform<i16:f32:0, {1.000000e-01,2.000000e-01:3}>>
  %b32 = stablehlo.reshape %32 : (tensor<2x!quant.uniform<i16:f32:0, {1.000000e-01,2.000000e-01:3}>>) -> tensor<2x1x!quant.uniform<i16:f32:0, {1.000000e-01,2.000000e-01:3}>>
  return
}

// CHECK-LABEL: func @extents
func.func @extents(%0: tensor<?x3xf32>, %1: tensor<?x?xf32, #stablehlo.bounds<4, ?>>, %2: tensor<f32>, %3: tensor<0x2xi8>) {
  // CHECK: stablehlo.negate %{{.*}} : tensor<?x3xf32>
  %4 = stablehlo.negate %0 : tensor<?x3xf32>
  // CHECK: stablehlo.negate %{{.*}} : tensor<?x?xf32, #stablehlo.bounds<4, ?>>
  %5 = stablehlo.negate %1 : tensor<?x?xf32, #stablehlo.bounds<4, ?>>
  // CHECK: stablehlo.negate %{{.*}} : tensor<f32>
  %6 = stablehlo.negate %2 : tensor<f32>
  // CHECK: stablehlo.negate %{{.*}} : tensor<0x2xi8>
  %7 = stablehlo.negate %3 : tensor<0x2xi8>
  return
}

// CHECK-LABEL: func @older_spelling_of_bounds
// CHECK-SAME: tensor<?x3xf32, #stablehlo.bounds<4, ?>>
func.func @older_spelling_of_bounds(%x: tensor<?x3xf32, #stablehlo.type_extensions<bounds = [4, ?]>>) {
  return
}

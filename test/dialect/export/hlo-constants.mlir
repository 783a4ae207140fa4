// RUN: spmd-translate %s --export-hlo --no-metadata | FileCheck %s
// Elements of every type; many equal ones are one, broadcast.

// CHECK: HloModule module, entry_computation_layout={()->(pred[2]{0}, s4[2]{0}, u4[2]{0}, s8[2]{0}, u8[2]{0}, /*index=5*/s16[2]{0}, u32[2]{0}, s64[2]{0}, f16[2]{0}, bf16[2]{0}, /*index=10*/f32[2,2]{1,0}, f64[2]{0}, f8e4m3fn[2]{0}, f8e5m2[2]{0}, c64[2]{0}, /*index=15*/c128[], f32[0,3]{1,0}, f32[2000000]{0}, u2[2]{0}, s32[3]{0})}
// CHECK: ENTRY %main (
// CHECK-NEXT: [[CONSTANT:%[-a-z0-9_.]+]] = pred[2]{0} constant({1, 0})
// CHECK-NEXT: [[CONSTANT2:%[-a-z0-9_.]+]] = s4[2]{0} constant({-8, 7})
// CHECK-NEXT: [[CONSTANT3:%[-a-z0-9_.]+]] = u4[2]{0} constant({0, 15})
// CHECK-NEXT: [[CONSTANT4:%[-a-z0-9_.]+]] = s8[2]{0} constant({-128, 127})
// CHECK-NEXT: [[CONSTANT5:%[-a-z0-9_.]+]] = u8[2]{0} constant({0, 255})
// CHECK-NEXT: [[CONSTANT6:%[-a-z0-9_.]+]] = s16[2]{0} constant({-3, 5})
// CHECK-NEXT: [[CONSTANT7:%[-a-z0-9_.]+]] = u32[2]{0} constant({4294967295, 1})
// CHECK-NEXT: [[CONSTANT8:%[-a-z0-9_.]+]] = s64[2]{0} constant({-9223372036854775808, 1})
// CHECK-NEXT: [[CONSTANT9:%[-a-z0-9_.]+]] = f16[2]{0} constant({1.5, -inf})
// CHECK-NEXT: [[CONSTANT10:%[-a-z0-9_.]+]] = bf16[2]{0} constant({1.5, -2})
// CHECK-NEXT: [[CONSTANT11:%[-a-z0-9_.]+]] = f32[2,2]{1,0} constant({ {{[{]}} 1, 2.5 }, { inf, -0 } })
// CHECK-NEXT: [[CONSTANT12:%[-a-z0-9_.]+]] = f64[2]{0} constant({1e-300, 0.1})
// CHECK-NEXT: [[CONSTANT13:%[-a-z0-9_.]+]] = f8e4m3fn[2]{0} constant({1, -0.5})
// CHECK-NEXT: [[CONSTANT14:%[-a-z0-9_.]+]] = f8e5m2[2]{0} constant({2, -0.25})
// CHECK-NEXT: [[CONSTANT15:%[-a-z0-9_.]+]] = c64[2]{0} constant({(1, -2), (0, 3)})
// CHECK-NEXT: [[CONSTANT16:%[-a-z0-9_.]+]] = c128[] constant((1, 2))
// CHECK-NEXT: [[CONSTANT17:%[-a-z0-9_.]+]] = f32[0,3]{1,0} constant({})
// CHECK-NEXT: [[CONSTANT18:%[-a-z0-9_.]+]] = f32[] constant(0.5)
// CHECK-NEXT: [[BROADCAST:%[-a-z0-9_.]+]] = f32[2000000]{0} broadcast([[CONSTANT18]]), dimensions={}
// CHECK-NEXT: [[CONSTANT19:%[-a-z0-9_.]+]] = u2[2]{0} constant({3, 1})
// CHECK-NEXT: [[CONSTANT20:%[-a-z0-9_.]+]] = s32[3]{0} constant({7, 7, 7})
// CHECK: ROOT {{.*}} tuple([[CONSTANT]], [[CONSTANT2]], [[CONSTANT3]], [[CONSTANT4]], [[CONSTANT5]], /*index=5*/[[CONSTANT6]], [[CONSTANT7]], [[CONSTANT8]], [[CONSTANT9]], [[CONSTANT10]], /*index=10*/[[CONSTANT11]], [[CONSTANT12]], [[CONSTANT13]], [[CONSTANT14]], [[CONSTANT15]], /*index=15*/[[CONSTANT16]], [[CONSTANT17]], [[BROADCAST]], [[CONSTANT19]], [[CONSTANT20]])

func.func @main() -> (tensor<2xi1>, tensor<2xi4>, tensor<2xui4>, tensor<2xi8>, tensor<2xui8>, tensor<2xi16>, tensor<2xui32>, tensor<2xi64>,
                      tensor<2xf16>, tensor<2xbf16>, tensor<2x2xf32>, tensor<2xf64>, tensor<2xf8E4M3FN>, tensor<2xf8E5M2>,
                      tensor<2xcomplex<f32>>, tensor<complex<f64>>, tensor<0x3xf32>, tensor<2000000xf32>, tensor<2xui2>, tensor<3xi32>) {
  %0 = stablehlo.constant dense<[true, false]> : tensor<2xi1>
  %1 = stablehlo.constant dense<[-8, 7]> : tensor<2xi4>
  %2 = stablehlo.constant dense<[0, 15]> : tensor<2xui4>
  %3 = stablehlo.constant dense<[-128, 127]> : tensor<2xi8>
  %4 = stablehlo.constant dense<[0, 255]> : tensor<2xui8>
  %5 = stablehlo.constant dense<[-3, 5]> : tensor<2xi16>
  %6 = stablehlo.constant dense<[4294967295, 1]> : tensor<2xui32>
  %7 = stablehlo.constant dense<[-9223372036854775808, 1]> : tensor<2xi64>
  %8 = stablehlo.constant dense<[1.5, 0xFC00]> : tensor<2xf16>
  %9 = stablehlo.constant dense<[1.5, -2.0]> : tensor<2xbf16>
  %10 = stablehlo.constant dense<[[1.0, 2.5], [0x7F800000, -0.0]]> : tensor<2x2xf32>
  %11 = stablehlo.constant dense<[1.0e-300, 0.1]> : tensor<2xf64>
  %12 = stablehlo.constant dense<[1.0, -0.5]> : tensor<2xf8E4M3FN>
  %13 = stablehlo.constant dense<[2.0, -0.25]> : tensor<2xf8E5M2>
  %14 = stablehlo.constant dense<[(1.0, -2.0), (0.0, 3.0)]> : tensor<2xcomplex<f32>>
  %15 = stablehlo.constant dense<(1.0, 2.0)> : tensor<complex<f64>>
  %16 = stablehlo.constant dense<> : tensor<0x3xf32>
  %17 = stablehlo.constant dense<0.5> : tensor<2000000xf32>
  %18 = stablehlo.constant dense<[3, 1]> : tensor<2xui2>
  %19 = stablehlo.constant dense<7> : tensor<3xi32>
  return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19
      : tensor<2xi1>, tensor<2xi4>, tensor<2xui4>, tensor<2xi8>, tensor<2xui8>, tensor<2xi16>, tensor<2xui32>, tensor<2xi64>,
        tensor<2xf16>, tensor<2xbf16>, tensor<2x2xf32>, tensor<2xf64>, tensor<2xf8E4M3FN>, tensor<2xf8E5M2>,
        tensor<2xcomplex<f32>>, tensor<complex<f64>>, tensor<0x3xf32>, tensor<2000000xf32>, tensor<2xui2>, tensor<3xi32>
}

// RUN: spmd-translate %s --export-hlo --no-metadata | FileCheck %s
// Ops of elements are opcodes of the same operands. Scalars are broadcast where only ops take them; `chlo` without\
// a usual opcode is written out.

// CHECK: HloModule module, entry_computation_layout={(f32[2,3]{1,0}, f32[2,3]{1,0}, s32[4]{0}, f32[], pred[])->(f32[2,3]{1,0}, f32[2,3]{1,0}, pred[2,3]{1,0}, s32[4]{0}, s16[4,2]{1,0}, /*index=5*/c64[2,3]{1,0})}
// CHECK: ENTRY %main (
// CHECK-NEXT: [[P:%[-a-z0-9_.]+]] = f32[2,3]{1,0} parameter(0)
// CHECK-NEXT: [[P2:%[-a-z0-9_.]+]] = f32[2,3]{1,0} parameter(1)
// CHECK-NEXT: [[P3:%[-a-z0-9_.]+]] = s32[4]{0} parameter(2)
// CHECK-NEXT: [[P4:%[-a-z0-9_.]+]] = f32[] parameter(3)
// CHECK-NEXT: [[P5:%[-a-z0-9_.]+]] = pred[] parameter(4)
// CHECK-NEXT: [[ADD:%[-a-z0-9_.]+]] = f32[2,3]{1,0} add([[P]], [[P2]])
// CHECK-NEXT: [[EXPONENTIAL_MINUS_ONE:%[-a-z0-9_.]+]] = f32[2,3]{1,0} exponential-minus-one([[ADD]]), result_accuracy={mode=highest}
// CHECK-NEXT: [[ROUND_NEAREST_AFZ:%[-a-z0-9_.]+]] = f32[2,3]{1,0} round-nearest-afz([[EXPONENTIAL_MINUS_ONE]])
// CHECK-NEXT: [[BROADCAST:%[-a-z0-9_.]+]] = f32[2,3]{1,0} broadcast([[P4]]), dimensions={}
// CHECK-NEXT: [[BROADCAST2:%[-a-z0-9_.]+]] = f32[2,3]{1,0} broadcast([[P4]]), dimensions={}
// CHECK-NEXT: [[CLAMP:%[-a-z0-9_.]+]] = f32[2,3]{1,0} clamp([[BROADCAST]], [[ROUND_NEAREST_AFZ]], [[BROADCAST2]])
// CHECK-NEXT: [[BROADCAST3:%[-a-z0-9_.]+]] = pred[2,3]{1,0} broadcast([[P5]]), dimensions={}
// CHECK-NEXT: [[SELECT:%[-a-z0-9_.]+]] = f32[2,3]{1,0} select([[BROADCAST3]], [[CLAMP]], [[P]])
// CHECK-NEXT: [[COMPARE:%[-a-z0-9_.]+]] = pred[2,3]{1,0} compare([[SELECT]], [[P2]]), direction=LT
// CHECK-NEXT: [[COMPARE2:%[-a-z0-9_.]+]] = pred[2,3]{1,0} compare([[SELECT]], [[P2]]), direction=GE, type=TOTALORDER
// CHECK-NEXT: [[AND:%[-a-z0-9_.]+]] = pred[2,3]{1,0} and([[COMPARE]], [[COMPARE2]])
// CHECK-NEXT: [[SHIFT_RIGHT_LOGICAL:%[-a-z0-9_.]+]] = s32[4]{0} shift-right-logical([[P3]], [[P3]])
// CHECK-NEXT: [[BITCAST_CONVERT:%[-a-z0-9_.]+]] = s16[4,2]{1,0} bitcast-convert([[SHIFT_RIGHT_LOGICAL]])
// CHECK-NEXT: [[REDUCE_PRECISION:%[-a-z0-9_.]+]] = f32[2,3]{1,0} reduce-precision([[SELECT]]), exponent_bits=5, mantissa_bits=2
// CHECK-NEXT: [[COMPLEX:%[-a-z0-9_.]+]] = c64[2,3]{1,0} complex([[REDUCE_PRECISION]], [[SELECT]])
// CHECK-NEXT: [[ERF:%[-a-z0-9_.]+]] = f32[2,3]{1,0} erf([[SELECT]])
// CHECK-NEXT: [[MULTIPLY:%[-a-z0-9_.]+]] = f32[2,3]{1,0} multiply([[ERF]], [[ERF]])
// CHECK: ROOT {{.*}} tuple([[SELECT]], [[MULTIPLY]], [[AND]], [[SHIFT_RIGHT_LOGICAL]], [[BITCAST_CONVERT]], /*index=5*/[[COMPLEX]])

func.func @main(%x: tensor<2x3xf32>, %y: tensor<2x3xf32>, %i: tensor<4xi32>, %s: tensor<f32>, %p: tensor<i1>)
    -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<4xi32>, tensor<4x2xi16>, tensor<2x3xcomplex<f32>>) {
  %0 = stablehlo.add %x, %y : tensor<2x3xf32>
  %1 = stablehlo.exponential_minus_one %0 {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2x3xf32>
  %2 = stablehlo.round_nearest_afz %1 : tensor<2x3xf32>
  %3 = stablehlo.clamp %s, %2, %s : (tensor<f32>, tensor<2x3xf32>, tensor<f32>) -> tensor<2x3xf32>
  %4 = stablehlo.select %p, %3, %x : tensor<i1>, tensor<2x3xf32>
  %5 = stablehlo.compare LT, %4, %y, FLOAT : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %6 = stablehlo.compare GE, %4, %y, TOTALORDER : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xi1>
  %7 = stablehlo.and %5, %6 : tensor<2x3xi1>
  %8 = stablehlo.shift_right_logical %i, %i : tensor<4xi32>
  %9 = stablehlo.bitcast_convert %8 : (tensor<4xi32>) -> tensor<4x2xi16>
  %10 = stablehlo.reduce_precision %4, format = e5m2 : tensor<2x3xf32>
  %11 = stablehlo.complex %10, %4 : tensor<2x3xcomplex<f32>>
  %12 = chlo.erf %4 : tensor<2x3xf32> -> tensor<2x3xf32>
  %13 = chlo.square %12 : tensor<2x3xf32> -> tensor<2x3xf32>
  return %4, %13, %7, %8, %9, %11 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xi1>, tensor<4xi32>, tensor<4x2xi16>, tensor<2x3xcomplex<f32>>
}

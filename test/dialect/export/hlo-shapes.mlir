// RUN: spmd-translate %s --export-hlo --no-metadata | FileCheck %s
// A dim of 1 that a broadcast repeats is dropped first; new dims of the old op stand in front.

// CHECK: HloModule module, entry_computation_layout={(f32[2,1,3]{2,1,0}, f32[4]{0}, s32[], f32[])->(f32[5,2,4,3]{3,2,1,0}, f32[3,2,1]{2,1,0}, f32[5]{0}, f32[2]{0}, f32[4]{0}, /*index=5*/s64[3,2]{1,0}, f32[3,2]{1,0})}
// CHECK: ENTRY %main (
// CHECK-NEXT: [[P:%[-a-z0-9_.]+]] = f32[2,1,3]{2,1,0} parameter(0)
// CHECK-NEXT: [[P2:%[-a-z0-9_.]+]] = f32[4]{0} parameter(1)
// CHECK-NEXT: [[P3:%[-a-z0-9_.]+]] = s32[] parameter(2)
// CHECK-NEXT: [[P4:%[-a-z0-9_.]+]] = f32[] parameter(3)
// CHECK-NEXT: [[RESHAPE:%[-a-z0-9_.]+]] = f32[2,3]{1,0} reshape([[P]])
// CHECK-NEXT: [[BROADCAST:%[-a-z0-9_.]+]] = f32[5,2,4,3]{3,2,1,0} broadcast([[RESHAPE]]), dimensions={1,3}
// CHECK-NEXT: [[TRANSPOSE:%[-a-z0-9_.]+]] = f32[3,2,1]{2,1,0} transpose([[P]]), dimensions={2,0,1}
// CHECK-NEXT: [[SLICE:%[-a-z0-9_.]+]] = f32[2]{0} slice([[P2]]), slice={[1:4:2]}
// CHECK-NEXT: [[PAD:%[-a-z0-9_.]+]] = f32[6]{0} pad([[P2]], [[P4]]), padding=-1_0_1
// CHECK-NEXT: [[REVERSE:%[-a-z0-9_.]+]] = f32[6]{0} reverse([[PAD]]), dimensions={0}
// CHECK-NEXT: [[DYNAMIC_SLICE:%[-a-z0-9_.]+]] = f32[3]{0} dynamic-slice([[REVERSE]], [[P3]]), dynamic_slice_sizes={3}
// CHECK-NEXT: [[CONCATENATE:%[-a-z0-9_.]+]] = f32[5]{0} concatenate([[SLICE]], [[DYNAMIC_SLICE]]), dimensions={0}
// CHECK-NEXT: [[DYNAMIC_UPDATE_SLICE:%[-a-z0-9_.]+]] = f32[4]{0} dynamic-update-slice([[P2]], [[SLICE]], [[P3]])
// CHECK-NEXT: [[IOTA:%[-a-z0-9_.]+]] = s64[3,2]{1,0} iota(), iota_dimension=1
// CHECK-NEXT: [[BROADCAST2:%[-a-z0-9_.]+]] = f32[3,2]{1,0} broadcast([[SLICE]]), dimensions={1}
// CHECK: ROOT {{.*}} tuple([[BROADCAST]], [[TRANSPOSE]], [[CONCATENATE]], [[SLICE]], [[DYNAMIC_UPDATE_SLICE]], /*index=5*/[[IOTA]], [[BROADCAST2]])

func.func @main(%x: tensor<2x1x3xf32>, %v: tensor<4xf32>, %at: tensor<i32>, %lo: tensor<f32>)
    -> (tensor<5x2x4x3xf32>, tensor<3x2x1xf32>, tensor<5xf32>, tensor<2xf32>, tensor<4xf32>, tensor<3x2xi64>, tensor<3x2xf32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [1, 2, 3] : (tensor<2x1x3xf32>) -> tensor<5x2x4x3xf32>
  %1 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<2x1x3xf32>) -> tensor<3x2x1xf32>
  %2 = stablehlo.slice %v [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>
  %3 = stablehlo.pad %v, %lo, low = [-1], high = [0], interior = [1] : (tensor<4xf32>, tensor<f32>) -> tensor<6xf32>
  %4 = stablehlo.reverse %3, dims = [0] : tensor<6xf32>
  %5 = stablehlo.dynamic_slice %4, %at, sizes = [3] : (tensor<6xf32>, tensor<i32>) -> tensor<3xf32>
  %6 = stablehlo.concatenate %2, %5, dim = 0 : (tensor<2xf32>, tensor<3xf32>) -> tensor<5xf32>
  %7 = stablehlo.dynamic_update_slice %v, %2, %at : (tensor<4xf32>, tensor<2xf32>, tensor<i32>) -> tensor<4xf32>
  %8 = stablehlo.iota dim = 1 : tensor<3x2xi64>
  %9 = stablehlo.broadcast %2, sizes = [3] : (tensor<2xf32>) -> tensor<3x2xf32>
  return %0, %1, %6, %2, %7, %8, %9 : tensor<5x2x4x3xf32>, tensor<3x2x1xf32>, tensor<5xf32>, tensor<2xf32>, tensor<4xf32>, tensor<3x2xi64>, tensor<3x2xf32>
}

// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL

// The gradient of rows that are cut in pieces: each piece is a share of a sum, and rows go back to where they came from. The whole
// is scattered at once; no piece is reduced alone, for all devices.
sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func @main
// CHECK-NOT: all_reduce
// CHECK: stablehlo.reduce_scatter
// CHECK-NOT: all_reduce
// CHECK: return
// EQUAL: equal: yes
func.func @main(%x: tensor<64x48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %g0: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %g1: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %g2: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %g3: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<32x48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %d0 = stablehlo.dot_general %g0, %x, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x48xf32>) -> tensor<8x48xf32>
  %p0 = stablehlo.pad %d0, %zero, low = [0, 0], high = [24, 0], interior = [0, 0] : (tensor<8x48xf32>, tensor<f32>) -> tensor<32x48xf32>
  %d1 = stablehlo.dot_general %g1, %x, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x48xf32>) -> tensor<8x48xf32>
  %p1 = stablehlo.pad %d1, %zero, low = [8, 0], high = [16, 0], interior = [0, 0] : (tensor<8x48xf32>, tensor<f32>) -> tensor<32x48xf32>
  %s1 = stablehlo.add %p0, %p1 : tensor<32x48xf32>
  %d2 = stablehlo.dot_general %g2, %x, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x48xf32>) -> tensor<8x48xf32>
  %p2 = stablehlo.pad %d2, %zero, low = [16, 0], high = [8, 0], interior = [0, 0] : (tensor<8x48xf32>, tensor<f32>) -> tensor<32x48xf32>
  %s2 = stablehlo.add %s1, %p2 : tensor<32x48xf32>
  %d3 = stablehlo.dot_general %g3, %x, contracting_dims = [0] x [0] : (tensor<64x8xf32>, tensor<64x48xf32>) -> tensor<8x48xf32>
  %p3 = stablehlo.pad %d3, %zero, low = [24, 0], high = [0, 0], interior = [0, 0] : (tensor<8x48xf32>, tensor<f32>) -> tensor<32x48xf32>
  %s3 = stablehlo.add %s2, %p3 : tensor<32x48xf32>
  return %s3 : tensor<32x48xf32>
}

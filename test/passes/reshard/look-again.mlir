// RUN: spmd-opt %s --spmd-propagate --spmd-reshard | FileCheck %s

sdy.mesh @mesh = <["x"=4]>

// A transform wants whole lines: what is padded comes there before it is padded, and what is cut off is cut there. No edge
// moves, and what is cut off does not move either.
// CHECK-LABEL: func.func public @around_a_transform
// CHECK: %[[LINES:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x60xf32>
// CHECK: %[[PADDED:.*]] = stablehlo.pad %[[LINES]]
// CHECK: %[[SPECTRUM:.*]] = stablehlo.fft %[[PADDED]]
// CHECK: %[[CUT:.*]] = stablehlo.slice %[[SPECTRUM]]
// CHECK: %[[RESULT:.*]] = sdy.reshard %[[CUT]] <@mesh, [{}, {"x"}]> : tensor<8x32xcomplex<f32>>
// CHECK-NEXT: return %[[RESULT]]
func.func public @around_a_transform(%x: tensor<8x60xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x32xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 10], interior = [0, 0] : (tensor<8x60xf32>, tensor<f32>) -> tensor<8x70xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [70] : (tensor<8x70xf32>) -> tensor<8x36xcomplex<f32>>
  %2 = stablehlo.slice %1 [0:8, 2:34] : (tensor<8x36xcomplex<f32>>) -> tensor<8x32xcomplex<f32>>
  return %2 : tensor<8x32xcomplex<f32>>
}

// What the user says of a value holds: it is padded, and moves then.
// CHECK-LABEL: func.func public @unless_it_is_pinned
// CHECK: stablehlo.pad %arg0
// CHECK: sdy.reshard %{{.*}} <@mesh, [{"x"}, {}]> : tensor<8x70xf32>
// CHECK-NEXT: stablehlo.fft
func.func public @unless_it_is_pinned(%x: tensor<8x60xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> tensor<8x36xcomplex<f32>> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 10], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x60xf32>, tensor<f32>) -> tensor<8x70xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [70] : (tensor<8x70xf32>) -> tensor<8x36xcomplex<f32>>
  return %1 : tensor<8x36xcomplex<f32>>
}

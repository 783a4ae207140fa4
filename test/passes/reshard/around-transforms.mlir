// RUN: spmd-opt %s --spmd-propagate --spmd-reshard | FileCheck %s

// Moves around transforms, which run on whole lines.

sdy.mesh @mesh = <["x"=4]>

// Each transform reads all of a line. Its operand moves to lines once; the product stays there, and only the other factor moves.
// CHECK-LABEL: func.func @between_transforms(
// CHECK: %[[LINES:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]>
// CHECK: %[[FIRST:.*]] = stablehlo.fft %[[LINES]]
// CHECK: %[[OTHER:.*]] = sdy.reshard %arg1 <@mesh, [{"x"}, {}]>
// CHECK: %[[PRODUCT:.*]] = stablehlo.multiply %[[FIRST]], %[[OTHER]] {{.*}}<@mesh, [{"x"}, {}]>
// CHECK: %[[LAST:.*]] = stablehlo.fft %[[PRODUCT]]
// CHECK: %[[RESULT:.*]] = sdy.reshard %[[LAST]] <@mesh, [{}, {"x"}]>
// CHECK-NEXT: return %[[RESULT]]
func.func @between_transforms(%x: tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                                     %k: tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.fft %x, type = FFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  %1 = stablehlo.multiply %0, %k : tensor<8x64xcomplex<f32>>
  %2 = stablehlo.fft %1, type = IFFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  return %2 : tensor<8x64xcomplex<f32>>
}

// Nothing moves in a chain of ops between the transforms, one of which broadcasts rows.
// CHECK-LABEL: func.func @through_a_chain(
// CHECK: sdy.reshard %{{.*}} <@mesh, [{}, {"x"}, {}]>
// CHECK: stablehlo.fft
// CHECK: sdy.reshard %{{.*}} <@mesh, [{"x"}, {}]>
// CHECK: stablehlo.fft
// CHECK-NEXT: stablehlo.broadcast_in_dim
// CHECK-NEXT: stablehlo.multiply
// CHECK-NEXT: stablehlo.multiply
// CHECK-NEXT: stablehlo.fft
// CHECK-NEXT: sdy.reshard %{{.*}} <@mesh, [{}, {}, {"x"}]>
// CHECK-NEXT: return
func.func @through_a_chain(%x: tensor<3x8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>},
                                  %k: tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<3x8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) {
  %0 = stablehlo.fft %x, type = FFT, length = [64] : (tensor<3x8x64xcomplex<f32>>) -> tensor<3x8x64xcomplex<f32>>
  %1 = stablehlo.fft %k, type = FFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<8x64xcomplex<f32>>) -> tensor<3x8x64xcomplex<f32>>
  %3 = stablehlo.multiply %0, %2 : tensor<3x8x64xcomplex<f32>>
  %4 = stablehlo.multiply %3, %3 : tensor<3x8x64xcomplex<f32>>
  %5 = stablehlo.fft %4, type = IFFT, length = [64] : (tensor<3x8x64xcomplex<f32>>) -> tensor<3x8x64xcomplex<f32>>
  return %5 : tensor<3x8x64xcomplex<f32>>
}

// The product is a result too: it is copied to columns, and the second transform reads it in lines. That is three moves instead of
// four.
// CHECK-LABEL: func.func @another_reader(
// CHECK: %[[LINES:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]>
// CHECK-NEXT: %[[FIRST:.*]] = stablehlo.fft %[[LINES]]
// CHECK-NEXT: %[[PRODUCT:.*]] = stablehlo.multiply %[[FIRST]], %[[FIRST]]
// CHECK-NEXT: %[[LAST:.*]] = stablehlo.fft %[[PRODUCT]]
// CHECK-DAG: %[[ONE:.*]] = sdy.reshard %[[PRODUCT]] <@mesh, [{}, {"x"}]>
// CHECK-DAG: %[[TWO:.*]] = sdy.reshard %[[LAST]] <@mesh, [{}, {"x"}]>
// CHECK: return %[[ONE]], %[[TWO]]
func.func @another_reader(%x: tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.fft %x, type = FFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  %1 = stablehlo.multiply %0, %0 : tensor<8x64xcomplex<f32>>
  %2 = stablehlo.fft %1, type = IFFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  return %1, %2 : tensor<8x64xcomplex<f32>>, tensor<8x64xcomplex<f32>>
}

// The operand moves before it is padded, and the result after its slice: neither the padding nor the rest of the lines moves.
// CHECK-LABEL: func.func @around_a_transform(
// CHECK: %[[LINES:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]> : tensor<8x60xf32>
// CHECK: %[[PADDED:.*]] = stablehlo.pad %[[LINES]]
// CHECK: %[[SPECTRUM:.*]] = stablehlo.fft %[[PADDED]]
// CHECK: %[[CUT:.*]] = stablehlo.slice %[[SPECTRUM]]
// CHECK: %[[RESULT:.*]] = sdy.reshard %[[CUT]] <@mesh, [{}, {"x"}]> : tensor<8x32xcomplex<f32>>
// CHECK-NEXT: return %[[RESULT]]
func.func @around_a_transform(%x: tensor<8x60xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x32xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 10], interior = [0, 0] : (tensor<8x60xf32>, tensor<f32>) -> tensor<8x70xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [70] : (tensor<8x70xf32>) -> tensor<8x36xcomplex<f32>>
  %2 = stablehlo.slice %1 [0:8, 2:34] : (tensor<8x36xcomplex<f32>>) -> tensor<8x32xcomplex<f32>>
  return %2 : tensor<8x32xcomplex<f32>>
}

// The padded value has a sharding of the user: it is padded in that layout, and moves then.
// CHECK-LABEL: func.func @around_a_transform_pinned(
// CHECK: stablehlo.pad %arg0
// CHECK: sdy.reshard %{{.*}} <@mesh, [{"x"}, {}]> : tensor<8x70xf32>
// CHECK-NEXT: stablehlo.fft
func.func @around_a_transform_pinned(%x: tensor<8x60xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> tensor<8x36xcomplex<f32>> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %x, %zero, low = [0, 0], high = [0, 10], interior = [0, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x60xf32>, tensor<f32>) -> tensor<8x70xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [70] : (tensor<8x70xf32>) -> tensor<8x36xcomplex<f32>>
  return %1 : tensor<8x36xcomplex<f32>>
}

// The product has a sharding of the user, in which no op reads it. So it does not move there and back.
// CHECK-LABEL: func.func @pinned_between_transforms(
// CHECK: %[[LINES:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]>
// CHECK-NEXT: stablehlo.fft
// CHECK-NEXT: stablehlo.multiply
// CHECK-NEXT: %[[LAST:.*]] = stablehlo.fft
// CHECK-NEXT: sdy.reshard %[[LAST]] <@mesh, [{}, {"x"}]>
// CHECK-NEXT: return
func.func @pinned_between_transforms(%x: tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.fft %x, type = FFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  %1 = stablehlo.multiply %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x64xcomplex<f32>>
  %2 = stablehlo.fft %1, type = IFFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  return %2 : tensor<8x64xcomplex<f32>>
}

// RUN: spmd-opt %s --spmd-propagate --spmd-reshard | FileCheck %s

sdy.mesh @mesh = <["x"=4]>

// Each transform wants whole lines. What stands between them stays where the first one leaves it,
// and only the other factor comes there.
// CHECK-LABEL: func.func public @between_transforms
// CHECK-SAME: (%[[X:.*]]: tensor<8x64xcomplex<f32>> {{.*}}, %[[K:.*]]: tensor<8x64xcomplex<f32>>
// CHECK: %[[LINES:.*]] = sdy.reshard %[[X]] <@mesh, [{"x"}, {}]>
// CHECK: %[[FIRST:.*]] = stablehlo.fft %[[LINES]]
// CHECK: %[[OTHER:.*]] = sdy.reshard %[[K]] <@mesh, [{"x"}, {}]>
// CHECK: %[[PRODUCT:.*]] = stablehlo.multiply %[[FIRST]], %[[OTHER]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, spmd.inferred}
// CHECK: %[[LAST:.*]] = stablehlo.fft %[[PRODUCT]]
// CHECK: %[[RESULT:.*]] = sdy.reshard %[[LAST]] <@mesh, [{}, {"x"}]>
// CHECK-NEXT: return %[[RESULT]]
func.func public @between_transforms(%x: tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                                     %k: tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.fft %x, type = FFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  %1 = stablehlo.multiply %0, %k : tensor<8x64xcomplex<f32>>
  %2 = stablehlo.fft %1, type = IFFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  return %2 : tensor<8x64xcomplex<f32>>
}

// A chain of ops on both operands, one of which spreads rows: none of them moves.
// CHECK-LABEL: func.func public @through_a_chain
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
func.func public @through_a_chain(%x: tensor<3x8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>},
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

// What the user says of a value between them holds.
// CHECK-LABEL: func.func public @unless_it_is_pinned
// CHECK: stablehlo.fft
// CHECK: sdy.reshard
// CHECK: stablehlo.multiply {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
// CHECK: sdy.reshard
// CHECK: stablehlo.fft
func.func public @unless_it_is_pinned(%x: tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.fft %x, type = FFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  %1 = stablehlo.multiply %0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x64xcomplex<f32>>
  %2 = stablehlo.fft %1, type = IFFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  return %2 : tensor<8x64xcomplex<f32>>
}

// Where a second reader wants the value as it is, it stays.
// CHECK-LABEL: func.func public @unless_another_reads_it
// CHECK: stablehlo.fft
// CHECK: sdy.reshard
// CHECK: stablehlo.multiply {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"x", ?}]>]>, spmd.inferred}
func.func public @unless_another_reads_it(%x: tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<8x64xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.fft %x, type = FFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  %1 = stablehlo.multiply %0, %0 : tensor<8x64xcomplex<f32>>
  %2 = stablehlo.fft %1, type = IFFT, length = [64] : (tensor<8x64xcomplex<f32>>) -> tensor<8x64xcomplex<f32>>
  return %1, %2 : tensor<8x64xcomplex<f32>>, tensor<8x64xcomplex<f32>>
}

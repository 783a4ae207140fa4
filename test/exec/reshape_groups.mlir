// RUN: spmd-run %s | FileCheck %s

// Channels come in groups, and images in front of them: [n, g c, h] -> [n g, c h]. Groups have no place behind whole images, and
// channels are not split without their groups: all of it is gathered once, and nothing is split that has to be gathered again.
// CHECK: collectives
// CHECK-NEXT: all_gather {{ *}}1 {{.*}} 896
// CHECK-NEXT: memory
// CHECK: equal: {{ *}}yes
sdy.mesh @mesh = <["x"=8]>
func.func @main(%x: tensor<2x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>})
    -> (tensor<2x16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reshape %x : (tensor<2x16x8xf32>) -> tensor<1x8x32xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0, 2] : (tensor<1x8x32xf32>, tensor<f32>) -> tensor<8xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<8xf32>) -> tensor<1x8x32xf32>
  %3 = stablehlo.subtract %0, %2 : tensor<1x8x32xf32>
  %4 = stablehlo.reshape %3 : (tensor<1x8x32xf32>) -> tensor<2x16x8xf32>
  return %4 : tensor<2x16x8xf32>
}

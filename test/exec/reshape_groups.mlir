// RUN: spmd-run %s | FileCheck %s

// A group norm joins images and groups: [n, g c, h] -> [n g, c h]. Channels are sharded, so no device has a whole image.
// All-to-alls and permutes bring each image to one half of the devices, sharded along its four groups, and back.
// An all-gather would send 896 bytes.
// CHECK: collectives
// CHECK-NEXT: all_to_all {{ *}}2 {{ *}}256 {{ *}}128
// CHECK-NEXT: collective_permute {{ *}}2 {{ *}}256 {{ *}}256
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

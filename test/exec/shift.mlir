// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=2], device_ids=[3, 1, 0, 2, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=5, "y"=1]>/' %s | spmd-run -

// Rows that are padded and then cut, by a call or at once: one row of 5 of f32 goes each way, whatever the padded rows
// would be split like.
// CHECK: collective_permute {{ *}}2 {{ *}}40 {{ *}}40
// CHECK: equal: yes
sdy.mesh @mesh = MESH
func.func public @main(%a: tensor<16x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<16x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = call @pad(%a) : (tensor<16x10xf32>) -> tensor<17x10xf32>
  %down = stablehlo.slice %0 [0:16, 0:10] : (tensor<17x10xf32>) -> tensor<16x10xf32>
  %1 = stablehlo.pad %a, %zero, low = [2, 0], high = [1, 0], interior = [0, 0] : (tensor<16x10xf32>, tensor<f32>) -> tensor<19x10xf32>
  %up = stablehlo.slice %1 [3:19, 0:10] : (tensor<19x10xf32>) -> tensor<16x10xf32>
  return %down, %up : tensor<16x10xf32>, tensor<16x10xf32>
}
func.func private @pad(%a: tensor<16x10xf32>) -> tensor<17x10xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<16x10xf32>, tensor<f32>) -> tensor<17x10xf32>
  return %0 : tensor<17x10xf32>
}

// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=2], device_ids=[3, 1, 0, 2, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=5, "y"=1]>/' %s | spmd-run -

// What goes on to the next device and what wraps around is one permute: a row of 5 of f32 for each of two rolls.
// CHECK: collective_permute {{ *}}2 {{ *}}40 {{ *}}40
// CHECK: equal: yes
sdy.mesh @mesh = MESH
func.func public @main(%a: tensor<16x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<16x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %last = stablehlo.slice %a [15:16, 0:10] : (tensor<16x10xf32>) -> tensor<1x10xf32>
  %others = stablehlo.slice %a [0:15, 0:10] : (tensor<16x10xf32>) -> tensor<15x10xf32>
  %down = stablehlo.concatenate %last, %others, dim = 0 : (tensor<1x10xf32>, tensor<15x10xf32>) -> tensor<16x10xf32>
  %first = stablehlo.slice %a [0:1, 0:10] : (tensor<16x10xf32>) -> tensor<1x10xf32>
  %rest = stablehlo.slice %a [1:16, 0:10] : (tensor<16x10xf32>) -> tensor<15x10xf32>
  %up = stablehlo.concatenate %rest, %first, dim = 0 : (tensor<15x10xf32>, tensor<1x10xf32>) -> tensor<16x10xf32>
  return %down, %up : tensor<16x10xf32>, tensor<16x10xf32>
}

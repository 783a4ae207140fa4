// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=2, "y"=4], device_ids=[3, 1, 0, 2, 5, 4, 7, 6]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=16, "y"=2]>/' %s | spmd-run -

// By 4 rows, a block of 4 moves to the device before, and with it the 2 rows that move so by 2; by 10, the halves of a block
// of two devices further on; along both dims, 2 rows and 3 columns. Shards are of 4x6.
// CHECK: collective_permute {{ *}}4 {{ *}}240 {{ *}}240
// CHECK: equal: yes
sdy.mesh @mesh = MESH
func.func public @main(%a: tensor<16x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16x12xf32>, tensor<16x12xf32>, tensor<16x12xf32>, tensor<16x12xf32>) {
  %0 = stablehlo.slice %a [2:16, 0:12] : (tensor<16x12xf32>) -> tensor<14x12xf32>
  %1 = stablehlo.slice %a [0:2, 0:12] : (tensor<16x12xf32>) -> tensor<2x12xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<14x12xf32>, tensor<2x12xf32>) -> tensor<16x12xf32>
  %3 = stablehlo.slice %a [10:16, 0:12] : (tensor<16x12xf32>) -> tensor<6x12xf32>
  %4 = stablehlo.slice %a [0:10, 0:12] : (tensor<16x12xf32>) -> tensor<10x12xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 0 : (tensor<6x12xf32>, tensor<10x12xf32>) -> tensor<16x12xf32>
  %6 = stablehlo.slice %a [4:16, 0:12] : (tensor<16x12xf32>) -> tensor<12x12xf32>
  %7 = stablehlo.slice %a [0:4, 0:12] : (tensor<16x12xf32>) -> tensor<4x12xf32>
  %8 = stablehlo.concatenate %6, %7, dim = 0 : (tensor<12x12xf32>, tensor<4x12xf32>) -> tensor<16x12xf32>
  %9 = stablehlo.slice %2 [0:16, 9:12] : (tensor<16x12xf32>) -> tensor<16x3xf32>
  %10 = stablehlo.slice %2 [0:16, 0:9] : (tensor<16x12xf32>) -> tensor<16x9xf32>
  %11 = stablehlo.concatenate %9, %10, dim = 1 : (tensor<16x3xf32>, tensor<16x9xf32>) -> tensor<16x12xf32>
  return %2, %5, %8, %11 : tensor<16x12xf32>, tensor<16x12xf32>, tensor<16x12xf32>, tensor<16x12xf32>
}

// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Groups split: each device works on its own, unevenly where a group is one feature. Nothing is gathered where operands
// and results lie alike.
// CHECK: collectives none
sdy.mesh @mesh = MESH

func.func public @main(
    %x: tensor<2x9x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>}, %depth: tensor<4x1x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>},
    %z: tensor<2x9x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>}, %kernel: tensor<3x2x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>},
    %b: tensor<16x7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %each: tensor<2x3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>})
    -> (tensor<2x9x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>}, tensor<2x7x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>},
        tensor<2x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>}) {
  %causal = stablehlo.convolution(%x, %depth) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {pad = [[3, 0]]} {batch_group_count = 1 : i64, feature_group_count = 10 : i64}
      : (tensor<2x9x10xf32>, tensor<4x1x10xf32>) -> tensor<2x9x10xf32>
  %grouped = stablehlo.convolution(%z, %kernel) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 8 : i64}
      : (tensor<2x9x16xf32>, tensor<3x2x24xf32>) -> tensor<2x7x24xf32>
  %batches = stablehlo.convolution(%b, %each) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {} {batch_group_count = 8 : i64, feature_group_count = 1 : i64}
      : (tensor<16x7x3xf32>, tensor<2x3x8xf32>) -> tensor<2x6x8xf32>
  return %causal, %grouped, %batches : tensor<2x9x10xf32>, tensor<2x7x24xf32>, tensor<2x6x8xf32>
}

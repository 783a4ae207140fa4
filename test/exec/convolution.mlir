// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Batch and features split, with and without a window over the spatial dims.
sdy.mesh @mesh = MESH

func.func public @main(%images: tensor<5x6x7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {"y"}]>}, %kernel: tensor<3x3x3x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}, {"x"}]>},
                       %point: tensor<1x1x3x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}, {"y"}]>}, %grouped: tensor<2x2x1x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"x"}]>}, %rows: tensor<5x6x7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>})
    -> (tensor<5x6x7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {"y"}]>}, tensor<5x3x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}, {"x"}]>}, tensor<5x6x7x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>}, tensor<5x5x6x6xf32>) {
  %same = stablehlo.convolution(%images, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<5x6x7x3xf32>, tensor<3x3x3x4xf32>) -> tensor<5x6x7x4xf32>
  %strided = stablehlo.convolution(%rows, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<5x6x7x3xf32>, tensor<3x3x3x4xf32>) -> tensor<5x3x4x4xf32>
  %pointwise = stablehlo.convolution(%rows, %point) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<5x6x7x3xf32>, tensor<1x1x3x7xf32>) -> tensor<5x6x7x7xf32>
  %depthwise = stablehlo.convolution(%images, %grouped) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 3 : i64}
      : (tensor<5x6x7x3xf32>, tensor<2x2x1x6xf32>) -> tensor<5x5x6x6xf32>
  return %same, %strided, %pointwise, %depthwise : tensor<5x6x7x4xf32>, tensor<5x3x4x4xf32>, tensor<5x6x7x7xf32>, tensor<5x5x6x6xf32>
}

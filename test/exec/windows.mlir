// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -
// RUN: sed -e 's/MESH/<["x"=4, "y"=4]>/' -e 's/{"y"}/{"y":(2)2, "x":(1)2}/g' -e 's/{"x"}/{"x":(2)2, "y":(1)2}/g' %s | spmd-run -

// Windows over dims that are split: neighbours' rows, several neighbours away, with strides and dilations.
sdy.mesh @mesh = MESH

func.func public @main(
    %image: tensor<2x13x10x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>},
    %kernel: tensor<3x2x3x2xf32>,
    %wide: tensor<7x9x3x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>},
    %numbers: tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<2x13x9x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>},
        tensor<2x6x4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>},
        tensor<2x26x18x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>},
        tensor<2x9x10x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}, {}]>},
        tensor<2x7x6x2xf32>, tensor<2x11x2x2xf32>,
        tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<5x9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<16x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<37x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %same = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x13x10x3xf32>, tensor<3x2x3x2xf32>) -> tensor<2x13x9x2xf32>
  %strided = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 3], pad = [[0, 0], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x13x10x3xf32>, tensor<3x2x3x2xf32>) -> tensor<2x6x4x2xf32>
  %grown = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[3, 0], [1, -1]], lhs_dilate = [2, 2], reverse = [true, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x13x10x3xf32>, tensor<3x2x3x2xf32>) -> tensor<2x26x18x2xf32>
  %dilated = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[0, 0], [3, 0]], rhs_dilate = [2, 3]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x13x10x3xf32>, tensor<3x2x3x2xf32>) -> tensor<2x9x10x2xf32>
  // Windows wider than a shard; the kernel is split, or not.
  %far = stablehlo.convolution(%image, %wide) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[0, 0], [2, 2]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x13x10x3xf32>, tensor<7x9x3x2xf32>) -> tensor<2x7x6x2xf32>
  %far_strided = stablehlo.convolution(%image, %wide) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [1, 2], pad = [[2, 2], [1, 0]], lhs_dilate = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x13x10x3xf32>, tensor<7x9x3x2xf32>) -> tensor<2x11x2x2xf32>
  %turned = stablehlo.reverse %numbers, dims = [0, 1] : tensor<11x7xi32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %padded = stablehlo.pad %numbers, %three, low = [-2, 1], high = [-4, 1], interior = [0, 0]
      : (tensor<11x7xi32>, tensor<i32>) -> tensor<5x9xi32>
  %left = stablehlo.slice %numbers [0:11, 2:7:2] : (tensor<11x7xi32>) -> tensor<11x3xi32>
  %right = stablehlo.slice %numbers [6:11, 1:4] : (tensor<11x7xi32>) -> tensor<5x3xi32>
  %joined = stablehlo.concatenate %right, %left, dim = 0 : (tensor<5x3xi32>, tensor<11x3xi32>) -> tensor<16x3xi32>
  %last = stablehlo.slice %numbers [10:11, 0:7] : (tensor<11x7xi32>) -> tensor<1x7xi32>
  %others = stablehlo.slice %numbers [0:10, 0:7] : (tensor<11x7xi32>) -> tensor<10x7xi32>
  %rolled = stablehlo.concatenate %last, %others, dim = 0 : (tensor<1x7xi32>, tensor<10x7xi32>) -> tensor<11x7xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %up = "stablehlo.reduce_window"(%numbers, %zero) <{padding = dense<[[10, 0], [0, 6]]> : tensor<2x2xi64>, window_dimensions = array<i64: 11, 7>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<i32>) -> tensor<11x7xi32>
  // An initial value that counts: no running total of the shards before.
  %counted = "stablehlo.reduce_window"(%numbers, %five) <{padding = dense<[[0, 10], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 11, 1>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<i32>) -> tensor<11x7xi32>
  %down = "stablehlo.reduce_window"(%numbers, %five) <{padding = dense<[[0, 10], [6, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 11, 7>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.maximum %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<i32>) -> tensor<11x7xi32>
  %pooled = "stablehlo.reduce_window"(%numbers, %five) <{base_dilations = array<i64: 2, 1>, padding = dense<[[1, 0], [1, 1]]> : tensor<2x2xi64>,
      window_dilations = array<i64: 3, 1>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<i32>) -> tensor<8x4xi32>
  %sparse = stablehlo.pad %numbers, %five, low = [4, 0], high = [2, 0], interior = [2, 0]
      : (tensor<11x7xi32>, tensor<i32>) -> tensor<37x7xi32>
  return %same, %strided, %grown, %dilated, %far, %far_strided, %turned, %padded, %joined, %rolled, %up, %counted, %down, %pooled, %sparse
      : tensor<2x13x9x2xf32>, tensor<2x6x4x2xf32>, tensor<2x26x18x2xf32>, tensor<2x9x10x2xf32>, tensor<2x7x6x2xf32>, tensor<2x11x2x2xf32>,
        tensor<11x7xi32>, tensor<5x9xi32>, tensor<16x3xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<8x4xi32>, tensor<37x7xi32>
}

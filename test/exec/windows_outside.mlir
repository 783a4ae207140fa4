// RUN: sed 's/MESH/<["x"=6]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4], device_ids=[2, 0, 3, 1]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2]>/' %s | spmd-run -

// Devices of whose windows no row exists: they have what the op has outside, not rows that they hold.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<6x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<3x2x2x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>},
                       %kernel: tensor<3x5x3x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}, {}]>})
    -> (tensor<14x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<3x12x1x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>},
        tensor<3x2x4x2xi32>, tensor<18x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %padded = "stablehlo.reduce_window"(%a, %zero) <{padding = dense<[[7, 1], [0, 0]]> : tensor<2x2xi64>, window_dimensions = array<i64: 1, 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %z = stablehlo.or %x, %y : tensor<i32>
    stablehlo.return %z : tensor<i32>
  }) : (tensor<6x3xi32>, tensor<i32>) -> tensor<14x3xi32>
  %nothing = stablehlo.pad %a, %zero, low = [-6, 0], high = [4, 0], interior = [0, 0] : (tensor<6x3xi32>, tensor<i32>) -> tensor<4x3xi32>
  %behind = stablehlo.convolution(%b, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[0, 12], [2, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x2x2x3xi32>, tensor<3x5x3x2xi32>) -> tensor<3x12x1x2xi32>
  %kernel_behind = stablehlo.convolution(%b, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [3, 1], pad = [[-2, 6], [3, 3]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<3x2x2x3xi32>, tensor<3x5x3x2xi32>) -> tensor<3x2x4x2xi32>
  %far = stablehlo.pad %a, %zero, low = [12, 0], high = [0, 0], interior = [0, 0] : (tensor<6x3xi32>, tensor<i32>) -> tensor<18x3xi32>
  return %padded, %nothing, %behind, %kernel_behind, %far : tensor<14x3xi32>, tensor<4x3xi32>, tensor<3x12x1x2xi32>, tensor<3x2x4x2xi32>, tensor<18x3xi32>
}

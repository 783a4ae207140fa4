// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Windows that reach over the ends of split dims, both or one of them, among equal elements, smallest ones and such as are
// no numbers. What is below zero loses against zeros that stand where there are no rows.
sdy.mesh @mesh = MESH

func.func public @main(
    %a: tensor<2x11x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>},
    %b: tensor<2x6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>},
    %c: tensor<23xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %d: tensor<23xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<2x11x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}, tensor<2x11x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>},
        tensor<23xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %step = stablehlo.round_nearest_even %a : tensor<2x11x9xf32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<2x11x9xf32>
  %small = stablehlo.compare LE, %a, %step : (tensor<2x11x9xf32>, tensor<2x11x9xf32>) -> tensor<2x11x9xi1>
  %ties = stablehlo.select %small, %lowest, %step : tensor<2x11x9xi1>, tensor<2x11x9xf32>
  %0 = "stablehlo.select_and_scatter"(%ties, %b, %zero) <{window_dimensions = array<i64: 1, 3, 3>, window_strides = array<i64: 1, 2, 2>,
      padding = dense<[[0, 0], [1, 1], [1, 1]]> : tensor<3x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.compare GE, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
  }, {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<2x11x9xf32>, tensor<2x6x5xf32>, tensor<f32>) -> tensor<2x11x9xf32>
  %nan = stablehlo.constant dense<0x7FC00000> : tensor<2x11x9xf32>
  %eight = stablehlo.constant dense<8.0> : tensor<2x11x9xf32>
  %below = stablehlo.subtract %a, %eight : tensor<2x11x9xf32>
  %odd = stablehlo.select %small, %nan, %below : tensor<2x11x9xi1>, tensor<2x11x9xf32>
  %1 = "stablehlo.select_and_scatter"(%odd, %b, %zero) <{window_dimensions = array<i64: 1, 3, 3>, window_strides = array<i64: 1, 2, 2>,
      padding = dense<[[0, 0], [0, 2], [2, 0]]> : tensor<3x2xi64>}> ({
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.compare GT, %x, %y : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
  }, {
    ^bb0(%x: tensor<f32>, %y: tensor<f32>):
      %s = stablehlo.add %x, %y : tensor<f32>
      stablehlo.return %s : tensor<f32>
  }) : (tensor<2x11x9xf32>, tensor<2x6x5xf32>, tensor<f32>) -> tensor<2x11x9xf32>
  %low = stablehlo.constant dense<-1000> : tensor<23xi32>
  %negative = stablehlo.add %c, %low : tensor<23xi32>
  %2 = "stablehlo.select_and_scatter"(%negative, %d, %three) <{window_dimensions = array<i64: 5>, padding = dense<[[3, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = stablehlo.compare LT, %y, %x : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %s : tensor<i1>
  }, {
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %s = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) : (tensor<23xi32>, tensor<23xi32>, tensor<i32>) -> tensor<23xi32>
  return %0, %1, %2 : tensor<2x11x9xf32>, tensor<2x11x9xf32>, tensor<23xi32>
}

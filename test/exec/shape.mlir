// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Ops that move elements: along dims that are split, and along dims that are not.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, %c: tensor<1x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<6x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<10x6x3xi32>, tensor<10x6xi32>, tensor<4x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<17x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<13x11xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<8x4xi32>, tensor<10x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>}, tensor<3x6xi32>,
        tensor<10x6xi32>, tensor<5x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<4x6xi32>) {
  %transposed = stablehlo.transpose %a, dims = [1, 0] : (tensor<10x6xi32>) -> tensor<6x10xi32>
  %broadcast = stablehlo.broadcast_in_dim %a, dims = [0, 1] : (tensor<10x6xi32>) -> tensor<10x6x3xi32>
  %reversed = stablehlo.reverse %a, dims = [0] : tensor<10x6xi32>
  %sliced = stablehlo.slice %a [1:9:2, 3:6] : (tensor<10x6xi32>) -> tensor<4x3xi32>
  %seven = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<7xi32>) -> tensor<7x6xi32>
  %joined = stablehlo.concatenate %a, %seven, dim = 0 : (tensor<10x6xi32>, tensor<7x6xi32>) -> tensor<17x6xi32>
  %minus = stablehlo.constant dense<-1> : tensor<i32>
  %padded = stablehlo.pad %a, %minus, low = [1, 0], high = [2, 0], interior = [0, 1]
      : (tensor<10x6xi32>, tensor<i32>) -> tensor<13x11xi32>
  %cropped = stablehlo.pad %a, %minus, low = [-1, -1], high = [-1, -1], interior = [0, 0]
      : (tensor<10x6xi32>, tensor<i32>) -> tensor<8x4xi32>
  %grown = stablehlo.broadcast_in_dim %c, dims = [0, 1] : (tensor<1x6xi32>) -> tensor<10x6xi32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<9> : tensor<i32>
  %taken = stablehlo.dynamic_slice %a, %many, %one, sizes = [3, 6]
      : (tensor<10x6xi32>, tensor<i32>, tensor<i32>) -> tensor<3x6xi32>
  %updated = stablehlo.dynamic_update_slice %a, %taken, %one, %many
      : (tensor<10x6xi32>, tensor<3x6xi32>, tensor<i32>, tensor<i32>) -> tensor<10x6xi32>
  %scalar_rows = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<7xi32>) -> tensor<5x7xi32>
  %row = stablehlo.slice %a [9:10, 0:6] : (tensor<10x6xi32>) -> tensor<1x6xi32>
  %rows = stablehlo.concatenate %row, %c, %row, %c, dim = 0
      : (tensor<1x6xi32>, tensor<1x6xi32>, tensor<1x6xi32>, tensor<1x6xi32>) -> tensor<4x6xi32>
  return %transposed, %broadcast, %reversed, %sliced, %joined, %padded, %cropped, %grown, %taken, %updated, %scalar_rows, %rows
      : tensor<6x10xi32>, tensor<10x6x3xi32>, tensor<10x6xi32>, tensor<4x3xi32>, tensor<17x6xi32>, tensor<13x11xi32>,
        tensor<8x4xi32>, tensor<10x6xi32>, tensor<3x6xi32>, tensor<10x6xi32>, tensor<5x7xi32>, tensor<4x6xi32>
}

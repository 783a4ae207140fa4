// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// The largest elements of rows that are split, along a dim that is split too, with ties.
sdy.mesh @mesh = MESH

func.func public @main(
    %x: tensor<3x10x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>},
    %i: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
    %row: tensor<11xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>})
    -> (tensor<3x10x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>}, tensor<3x10x4xi32>, tensor<10x7xi32>, tensor<10x7xi32>,
        tensor<2xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<2xi32>, tensor<10x0xi32>) {
  %values, %places = chlo.top_k(%x, k = 4) : tensor<3x10x7xf32> -> (tensor<3x10x4xf32>, tensor<3x10x4xi32>)
  %all, %order = chlo.top_k(%i, k = 7) : tensor<10x7xi32> -> (tensor<10x7xi32>, tensor<10x7xi32>)
  %two, %at = chlo.top_k(%row, k = 2) : tensor<11xbf16> -> (tensor<2xbf16>, tensor<2xi32>)
  %none, %nowhere = chlo.top_k(%i, k = 0) : tensor<10x7xi32> -> (tensor<10x0xi32>, tensor<10x0xi32>)
  return %values, %places, %all, %order, %two, %at, %none
      : tensor<3x10x4xf32>, tensor<3x10x4xi32>, tensor<10x7xi32>, tensor<10x7xi32>, tensor<2xbf16>, tensor<2xi32>, tensor<10x0xi32>
}

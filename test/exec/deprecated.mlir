// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -

// Forms that newer ops replace split as those do; sums of letters leave partial results.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<7x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %v: tensor<7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>},
                       %i: tensor<10x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<10x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<i32>, tensor<6x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4x5x10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}, tensor<10x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<10x3x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}, tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %product = stablehlo.dot %a, %b : (tensor<10x7xi32>, tensor<7x6xi32>) -> tensor<10x6xi32>
  %image = stablehlo.dot %a, %v : (tensor<10x7xi32>, tensor<7xi32>) -> tensor<10xi32>
  %inner = stablehlo.dot %v, %v : (tensor<7xi32>, tensor<7xi32>) -> tensor<i32>
  %einsum = stablehlo.einsum %a, %b, config = "ab,bc->ca" : (tensor<10x7xi32>, tensor<7x6xi32>) -> tensor<6x10xi32>
  %summed = stablehlo.unary_einsum %a, config = "ab->b" : (tensor<10x7xi32>) -> tensor<7xi32>
  %broadcast = stablehlo.broadcast %a, sizes = [4, 5] : (tensor<10x7xi32>) -> tensor<4x5x10x7xi32>
  %bounds = stablehlo.constant dense<6> : tensor<10x3xi32>
  %zeros = stablehlo.constant dense<0> : tensor<10x3xi32>
  %index = stablehlo.clamp %zeros, %i, %bounds : tensor<10x3xi32>
  %alongRows = "stablehlo.torch_index_select"(%a, %index) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<10x7xi32>, tensor<10x3xi32>) -> tensor<10x3xi32>
  %ofRows = "stablehlo.torch_index_select"(%b, %index) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<7x6xi32>, tensor<10x3xi32>) -> tensor<10x3x6xi32>
  %mapped = "stablehlo.map"(%a, %a) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %t = stablehlo.multiply %p, %q : tensor<i32>
    %u = stablehlo.subtract %t, %q : tensor<i32>
    stablehlo.return %u : tensor<i32>
  }) : (tensor<10x7xi32>, tensor<10x7xi32>) -> tensor<10x7xi32>
  return %product, %image, %inner, %einsum, %summed, %broadcast, %alongRows, %ofRows, %mapped
      : tensor<10x6xi32>, tensor<10xi32>, tensor<i32>, tensor<6x10xi32>, tensor<7xi32>, tensor<4x5x10x7xi32>, tensor<10x3xi32>, tensor<10x3x6xi32>, tensor<10x7xi32>
}

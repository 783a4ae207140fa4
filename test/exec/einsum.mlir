// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -

// Dims without letters are split and summed up like those that have one.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<5x3x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
    %b: tensor<7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %c: tensor<3x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<5x3x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}, tensor<5xf32>, tensor<3x7x5xf32>, tensor<5xf32>) {
  %product = stablehlo.einsum %a, %b, config = "...k,kn->...n" : (tensor<5x3x7xf32>, tensor<7x4xf32>) -> tensor<5x3x4xf32>
  %inner = stablehlo.einsum %a, %c, config = "a...,...->a" : (tensor<5x3x7xf32>, tensor<3x7xf32>) -> tensor<5xf32>
  %turned = "stablehlo.unary_einsum"(%a) {einsum_config = "a...->...a"} : (tensor<5x3x7xf32>) -> tensor<3x7x5xf32>
  %sum = "stablehlo.unary_einsum"(%a) {einsum_config = "a...->a"} : (tensor<5x3x7xf32>) -> tensor<5xf32>
  return %product, %inner, %turned, %sum : tensor<5x3x4xf32>, tensor<5xf32>, tensor<3x7x5xf32>, tensor<5xf32>
}

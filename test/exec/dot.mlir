// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Products: every dim split, contracted dims uneven, sides that ask for different splits.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<7x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %c: tensor<7x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                       %l: tensor<3x5x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}, %r: tensor<7x3x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>})
    -> (tensor<10x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<10x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, tensor<3x5x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>},
        tensor<3x5x2xi32>, tensor<i32>, tensor<7x6x7x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}) {
  %product = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<10x7xi32>, tensor<7x6xi32>) -> tensor<10x6xi32>
  %both = stablehlo.dot_general %a, %c, contracting_dims = [1] x [0] : (tensor<10x7xi32>, tensor<7x5xi32>) -> tensor<10x5xi32>
  %transposed = stablehlo.dot_general %b, %c, contracting_dims = [0] x [0] : (tensor<7x6xi32>, tensor<7x5xi32>) -> tensor<6x5xi32>
  %batched = stablehlo.dot_general %l, %r, batching_dims = [0] x [1], contracting_dims = [2] x [0]
      : (tensor<3x5x7xi32>, tensor<7x3x2xi32>) -> tensor<3x5x2xi32>
  %twice = stablehlo.add %batched, %batched : tensor<3x5x2xi32>
  %scalar = stablehlo.dot_general %c, %c, contracting_dims = [0, 1] x [0, 1] : (tensor<7x5xi32>, tensor<7x5xi32>) -> tensor<i32>
  %outer = stablehlo.dot_general %b, %c, contracting_dims = [] x [] : (tensor<7x6xi32>, tensor<7x5xi32>) -> tensor<7x6x7x5xi32>
  return %product, %both, %transposed, %batched, %twice, %scalar, %outer
      : tensor<10x6xi32>, tensor<10x5xi32>, tensor<6x5xi32>, tensor<3x5x2xi32>, tensor<3x5x2xi32>, tensor<i32>, tensor<7x6x7x5xi32>
}

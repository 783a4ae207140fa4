// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Partial results on their way through ops that commute with the reduction, and to those that do
// not: sums, scalings, turns, slices, a largest value, a bias; sizes do not divide.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %b: tensor<7x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: tensor<10x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %d: tensor<5x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                       %bias: tensor<10x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<10x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<6x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<3x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<10x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<20x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %p = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<10x7xi32>, tensor<7x6xi32>) -> tensor<10x6xi32>
  %q = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<10x5xi32>, tensor<5x6xi32>) -> tensor<10x6xi32>
  %sum = stablehlo.subtract %p, %q : tensor<10x6xi32>

  %r = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<10x7xi32>, tensor<7x6xi32>) -> tensor<10x6xi32>
  %s = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<10x5xi32>, tensor<5x6xi32>) -> tensor<10x6xi32>
  %rt = stablehlo.transpose %r, dims = [1, 0] : (tensor<10x6xi32>) -> tensor<6x10xi32>
  %st = stablehlo.transpose %s, dims = [1, 0] : (tensor<10x6xi32>) -> tensor<6x10xi32>
  %turned = stablehlo.add %rt, %st : tensor<6x10xi32>

  %t = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<10x7xi32>, tensor<7x6xi32>) -> tensor<10x6xi32>
  %scaled = stablehlo.multiply %t, %bias : tensor<10x6xi32>
  %rows = stablehlo.slice %scaled [4:7, 0:6] : (tensor<10x6xi32>) -> tensor<3x6xi32>

  %lowest = stablehlo.constant dense<-2147483648> : tensor<i32>
  %most = stablehlo.reduce(%a init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<10xi32>
  %also = stablehlo.reduce(%c init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<10x5xi32>, tensor<i32>) -> tensor<10xi32>
  %largest = stablehlo.maximum %most, %also : tensor<10xi32>

  %u = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<10x7xi32>, tensor<7x6xi32>) -> tensor<10x6xi32>
  %biased = stablehlo.add %u, %bias : tensor<10x6xi32>

  %v = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<10x7xi32>, tensor<7x6xi32>) -> tensor<10x6xi32>
  %w = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0] : (tensor<10x5xi32>, tensor<5x6xi32>) -> tensor<10x6xi32>
  %joined = stablehlo.concatenate %v, %w, dim = 0 : (tensor<10x6xi32>, tensor<10x6xi32>) -> tensor<20x6xi32>
  return %sum, %turned, %rows, %largest, %biased, %joined : tensor<10x6xi32>, tensor<6x10xi32>, tensor<3x6xi32>, tensor<10xi32>, tensor<10x6xi32>, tensor<20x6xi32>
}

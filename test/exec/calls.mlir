// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// One function called with different shardings, and through another function.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %c: tensor<10x7xi32>)
    -> (tensor<10xi32>, tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, tensor<10xi32>, tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0 = call @sums(%a) : (tensor<10x7xi32>) -> tensor<10xi32>
  %1 = call @sums(%b) : (tensor<10x7xi32>) -> tensor<10xi32>
  %2 = call @sums(%c) : (tensor<10x7xi32>) -> tensor<10xi32>
  %3:2 = call @outer(%b, %a) : (tensor<10x7xi32>, tensor<10x7xi32>) -> (tensor<10xi32>, tensor<10x7xi32>)
  %4 = stablehlo.add %2, %3#0 : tensor<10xi32>
  return %0, %1, %4, %3#1 : tensor<10xi32>, tensor<10xi32>, tensor<10xi32>, tensor<10x7xi32>
}
func.func private @outer(%a: tensor<10x7xi32>, %b: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<10xi32>, tensor<10x7xi32>) {
  %0 = call @sums(%a) : (tensor<10x7xi32>) -> tensor<10xi32>
  return %0, %b : tensor<10xi32>, tensor<10x7xi32>
}
func.func private @sums(%a: tensor<10x7xi32>) -> tensor<10xi32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %two) applies stablehlo.add across dimensions = [1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<10xi32>
  return %0 : tensor<10xi32>
}

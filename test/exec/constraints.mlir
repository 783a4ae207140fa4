// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Chains of constraints: dims exchanged, joined, left whole, partial, and back.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %p: tensor<5x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}], unreduced={"x"}>}, %v: tensor<2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>})
    -> (tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<5x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}], unreduced={"x"}>}, tensor<5x3xi32>, tensor<2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"y"}, {"x"}]> : tensor<10x7xi32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x", "y"}, {}]> : tensor<10x7xi32>
  %2 = sdy.sharding_constraint %1 <@mesh, [{"y", "x"}, {}]> : tensor<10x7xi32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{}, {"x"}], unreduced={"y"}> : tensor<10x7xi32>
  %4 = sdy.sharding_constraint %3 <@mesh, [{}, {"y"}], unreduced={"x"}> : tensor<10x7xi32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{}, {}]> : tensor<10x7xi32>
  %6 = sdy.sharding_constraint %p <@mesh, [{}, {}], unreduced={"x", "y"}> : tensor<5x3xi32>
  %7 = stablehlo.multiply %p, %p : tensor<5x3xi32>
  return %5, %6, %4, %7, %v : tensor<10x7xi32>, tensor<5x3xi32>, tensor<10x7xi32>, tensor<5x3xi32>, tensor<2xi32>
}

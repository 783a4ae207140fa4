// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=4], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=1, "y"=8]>/' %s | spmd-run -

// Elementwise ops between moves, of sizes that no axis divides: gathers after gathers, exchanges
// and other orders of devices; of what a second reader wants, too.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<13x9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, %c: tensor<5x14xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})
    -> (tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<9x13xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<5x14xi8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<5x14xi32>) {
  %seven = stablehlo.constant dense<7> : tensor<11x7xi32>
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<11x7xi32>
  %1 = stablehlo.multiply %0, %seven : tensor<11x7xi32>
  %2 = stablehlo.negate %1 : tensor<11x7xi32>
  %3 = sdy.sharding_constraint %b <@mesh, [{"y", "x"}, {}]> : tensor<13x9xi32>
  %three = stablehlo.iota dim = 0 : tensor<13x9xi32>
  %4 = stablehlo.subtract %three, %3 : tensor<13x9xi32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<13x9xi32>) -> tensor<9x13xi32>
  %6 = sdy.sharding_constraint %5 <@mesh, [{}, {"y"}]> : tensor<9x13xi32>
  %7 = stablehlo.abs %6 : tensor<9x13xi32>
  %8 = sdy.sharding_constraint %7 <@mesh, [{}, {"x"}]> : tensor<9x13xi32>
  %9 = sdy.sharding_constraint %c <@mesh, [{"y"}, {}]> : tensor<5x14xi32>
  %10 = stablehlo.convert %9 : (tensor<5x14xi32>) -> tensor<5x14xi8>
  %11 = sdy.sharding_constraint %c <@mesh, [{"x"}, {"y"}]> : tensor<5x14xi32>
  return %2, %8, %10, %11 : tensor<11x7xi32>, tensor<9x13xi32>, tensor<5x14xi8>, tensor<5x14xi32>
}

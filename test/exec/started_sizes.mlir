// RUN: spmd-run %s --sizes=5 --seed=3 | FileCheck %s
// CHECK: equal: {{ *}}yes

// A size that is what some rows hold, which are cut out by what starts now and is done later. What is done may be of a size
// that its body does not know, or the other way round.
sdy.mesh @mesh = <["x"=3]>
func.func public @main(%a: tensor<?xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<?xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<?xi32>) {
  %low = stablehlo.constant dense<4> : tensor<1xi32>
  %high = stablehlo.constant dense<7> : tensor<1xi32>
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%b: tensor<5xi32>):
    %4 = stablehlo.slice %b [2:3] : (tensor<5xi32>) -> tensor<1xi32>
    stablehlo.return %4 : tensor<1xi32>
  }) : (tensor<?xi32>) -> !stablehlo.future<tensor<1xi32>>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<1xi32>>) -> tensor<?xi32>
  %2 = stablehlo.clamp %low, %1, %high : (tensor<1xi32>, tensor<?xi32>, tensor<1xi32>) -> tensor<1xi32>
  %3 = stablehlo.dynamic_iota %2, dim = 0 : (tensor<1xi32>) -> tensor<?xi32>
  return %3, %1 : tensor<?xi32>, tensor<?xi32>
}

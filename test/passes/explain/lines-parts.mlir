// What an axis stood between is written as one when it leaves.
// RUN: spmd-opt %s --spmd-explain="value=%a" | FileCheck %s --match-full-lines
// CHECK:       dim 0 (size 12) is not split:
// CHECK:         to split it, write: %a: tensor<12x18xf32> {sdy.sharding = #sdy.sharding<@parts, [{"v"}, {"u":(1)4}]>}
sdy.mesh @parts = <["u"=12, "v"=2]>
func.func @main(%a: tensor<12x18xf32> {sdy.sharding = #sdy.sharding<@parts, [{?}, {"u":(1)2, "v", "u":(2)2}]>}, %b: tensor<12xf32> {sdy.sharding = #sdy.sharding<@parts, [{"v"}]>}) -> tensor<12x18xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<12xf32>) -> tensor<12x18xf32>
  %1 = stablehlo.add %a, %0 : tensor<12x18xf32>
  return %1 : tensor<12x18xf32>
}

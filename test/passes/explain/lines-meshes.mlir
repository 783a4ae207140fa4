// RUN: spmd-opt %s --spmd-explain="value=%1" | FileCheck %s --match-full-lines

// An axis of another mesh that is on its way is none of the value's mesh, whatever its number there.
// CHECK:       dim 1 (size 4) is not split:
// CHECK:         to split it, write: %1 = sdy.sharding_constraint %0 <@m, [{"x"}, {"y"}]> : tensor<6x4xf32>
sdy.mesh @m = <["x"=3, "y"=2]>
sdy.mesh @other = <["u"=2, "v"=3]>
func.func @main(%a: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@other, [{?}, {"u"}]>}) -> tensor<6x4xf32> {
  %0 = sdy.sharding_constraint %a <@other, [{"u"}, {?}]> : tensor<6x4xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{"x"}, {?}]> : tensor<6x4xf32>
  return %1 : tensor<6x4xf32>
}

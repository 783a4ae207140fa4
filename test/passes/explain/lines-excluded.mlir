// Parts of an axis may not overlap, and yet no cut of the axis has both.
// RUN: spmd-opt %s --spmd-explain="value=%a,value=%0" | FileCheck %s --match-full-lines
// CHECK:      %a, argument 0 of @main ({{.*}}): [{?}, {"u":(1)2}], as annotated
// CHECK-NEXT:   dim 0 (size 12) is not split:
// CHECK-NEXT:     "u":(3)4 of %b dim 0 ({{.*}}) does not come through 'stablehlo.broadcast_in_dim' ({{.*}}): "u":(1)2, which no cut of the axis has beside it, splits dim 1 of %0 already (48 bytes there, 864 bytes here); from %0 dim 0 it would come here
// CHECK-NEXT:     to split it, write: %a: tensor<12x18xf32> {sdy.sharding = #sdy.sharding<@parts, [{"u":(3)4}, {}]>}
// CHECK:      %0, 'stablehlo.broadcast_in_dim' op result 0 ({{.*}}): [{?}, {"u":(1)2, ?}], inferred
// CHECK-NEXT:   dim 0 (size 12) is not split:
// CHECK-NEXT:     "u":(3)4 of %b dim 0 {{.*}}
// CHECK-NEXT:     to split it, write: %split = sdy.sharding_constraint %0 <@parts, [{"u":(3)4}, {?}]> : tensor<12x18xf32>
sdy.mesh @parts = <["u"=12, "v"=2]>
func.func @main(%a: tensor<12x18xf32> {sdy.sharding = #sdy.sharding<@parts, [{?}, {"u":(1)2}]>}, %b: tensor<12xf32> {sdy.sharding = #sdy.sharding<@parts, [{"u":(3)4}]>}) -> tensor<12x18xf32> {
  %0 = stablehlo.broadcast_in_dim %b, dims = [0] : (tensor<12xf32>) -> tensor<12x18xf32>
  %1 = stablehlo.add %a, %0 : tensor<12x18xf32>
  return %1 : tensor<12x18xf32>
}

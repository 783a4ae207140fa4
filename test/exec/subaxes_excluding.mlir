// RUN: spmd-run %s | FileCheck %s
// CHECK: equal: {{ *}}yes

// Parts of an axis that no cut has both: rows in threes and halves of the same devices. What comes from the argument, six
// shards of the elements, may not stand beside the half that the result pins.
sdy.mesh @mesh = <["x"=6]>

func.func public @main(%a: tensor<12x12xi32>) -> (tensor<3x2x3x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, ?}, {}, {}, {?}], replicated={"x":(2)3}>}, tensor<3x2x3x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, ?}, {?}, {?}, {?}]>}, tensor<12x12xi32>) {
  %0 = sdy.reshard %a <@mesh, [{"x"}, {}]> : tensor<12x12xi32>
  %1 = stablehlo.reshape %a : (tensor<12x12xi32>) -> tensor<3x2x3x8xi32>
  %2 = stablehlo.negate %1 : tensor<3x2x3x8xi32>
  return %1, %2, %0 : tensor<3x2x3x8xi32>, tensor<3x2x3x8xi32>, tensor<12x12xi32>
}

// RUN: spmd-opt %s --spmd-explain="value=%ones value=%few value=%cut" | FileCheck %s

// Uses of a constant have copies of their own, of which those that lie alike are one: told of once each.
// CHECK: %ones, {{.*}}: [{"x", ?}, {?}], inferred
// CHECK: from %a
// CHECK: %ones, {{.*}}: [{?}, {"y", ?}], inferred
// CHECK: from %b
// CHECK-NOT: %ones, 'stablehlo
sdy.mesh @mesh = <["x"=2, "y"=8]>
func.func @main(%a: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})
    -> (tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x8xf32>, tensor<8x2x6xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %ones = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8x12xf32>
  %0 = stablehlo.add %a, %ones : tensor<8x12xf32>
  %1 = stablehlo.multiply %0, %ones : tensor<8x12xf32>
  %2 = stablehlo.add %b, %ones : tensor<8x12xf32>

  // A short dim says why it is not split. An axis that has more positions than the dim has rows is not proposed.
  // CHECK: %few, {{.*}}: [{?}, {?}]
  // CHECK: dim 1 (size 3) is not split:
  // CHECK-NEXT: "y" of %b dim 1 {{.*}} does not come through 'stablehlo.slice' {{.*}}: along it most of %few dim 1 would be padding
  // CHECK-NEXT: to split it, write: %split = sdy.sharding_constraint %few <@mesh, [{?}, {"x"}]>
  %few = stablehlo.slice %b [0:8, 0:3] : (tensor<8x12xf32>) -> tensor<8x3xf32>
  %square = stablehlo.dot_general %few, %few, contracting_dims = [1] x [1] : (tensor<8x3xf32>, tensor<8x3xf32>) -> tensor<8x8xf32>

  // CHECK: %cut, {{.*}}
  // CHECK: dim 2 (size 6) is not split:
  // CHECK-NEXT: "y" of %b dim 1 {{.*}}: "y" does not divide 6
  // CHECK-NEXT: to split it, write: %split = sdy.sharding_constraint %cut <@mesh, [{?}, {"y":(1)2, ?}, {"x"}]>
  %cut = stablehlo.reshape %b : (tensor<8x12xf32>) -> tensor<8x2x6xf32>
  return %1, %1, %2, %square, %cut : tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x12xf32>, tensor<8x8xf32>, tensor<8x2x6xf32>
}

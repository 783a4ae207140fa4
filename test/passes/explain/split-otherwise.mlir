// Of a dim that is split it is told, too, what its neighbours would have split it along, unless the chain tells of that.
// RUN: spmd-opt %s --spmd-explain="value=%0 value=%2 value=%4 value=%5" | FileCheck %s
// RUN: spmd-opt %s --spmd-explain="value=%0 format=json" | FileCheck %s --check-prefix=JSON
sdy.mesh @mesh = <["x"=2, "y"=3]>

// CHECK: %0, 'stablehlo.tanh'
// CHECK: dim 0 (size 7) is split along "x":
// CHECK: dim 0 (size 7) is split along nothing else:
// CHECK-NEXT: "y" of %1 dim 0 {{.*}} does not come through 'sdy.sharding_constraint' {{.*}}: another way to split the same dim won
// CHECK-NEXT: to split it so, write: {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {?}]>]>} at %0
// CHECK-NEXT: dim 1 (size 5) is not split:

// JSON: "axes": [
// JSON: "kind": "annotation"
// JSON: "stops": [
// JSON: "kind": "differs"
// JSON: "from": "%1"
// JSON: "write": "{sdy.sharding = {{.*}}} at %0"
func.func @main(%a: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<7x5xf32>, tensor<7x5xf32>) {
  %0 = stablehlo.tanh %a : tensor<7x5xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"y"}, {?}]> : tensor<7x5xf32>
  return %0, %1 : tensor<7x5xf32>, tensor<7x5xf32>
}

// What an axis is behind is kept.
// CHECK: %2, 'stablehlo.sine'
// CHECK: dim 0 (size 14) is split along "x":
// CHECK: dim 0 (size 14) is split along nothing else:
// CHECK-NEXT: "y" of %3 dim 0
// CHECK-NEXT: to split it so, write: {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", "y"}, {?}]>]>} at %2
func.func @behind(%a: tensor<14x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}], replicated={"y"}>}) -> (tensor<14x5xf32>, tensor<14x5xf32>) {
  %2 = stablehlo.sine %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}], replicated={"y"}>]>} : tensor<14x5xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"x", "y"}, {?}]> : tensor<14x5xf32>
  return %2, %3 : tensor<14x5xf32>, tensor<14x5xf32>
}

// What the program closes is as it says; what lost in the op that brought the axis is told there.
// CHECK: %4, 'stablehlo.sine'
// CHECK: dim 0 (size 7) is split along "x":
// CHECK-NOT: nothing else
// CHECK: %5, 'stablehlo.add'
// CHECK: won against "y" of %b dim 0
// CHECK-NOT: nothing else
func.func @told(%a: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<7x5xf32>, tensor<7x5xf32>) {
  %4 = stablehlo.sine %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<7x5xf32>
  %5 = stablehlo.add %a, %b : tensor<7x5xf32>
  return %4, %5 : tensor<7x5xf32>, tensor<7x5xf32>
}

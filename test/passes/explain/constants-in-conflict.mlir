// One op wants a constant split along an axis in two dims: it lies in one way, and what lost is told. A dim that nobody
// wants split lies wherever it is needed.
// RUN: spmd-opt %s --spmd-explain="value=%c value=%d alone" | FileCheck %s
// RUN: spmd-opt %s --spmd-explain="value=%c alone format=json" | FileCheck %s --check-prefix=JSON
sdy.mesh @mesh = <["x"=2, "y"=3]>
// CHECK: %c, 'stablehlo.iota' {{.*}}: [{"x", ?}, {?}, {"y", ?}], inferred
// CHECK-NEXT: dim 0 (size 6) is split along "x":
// CHECK: dim 1 (size 10) is not split:
// CHECK-NEXT: "x" of %a dim 1 {{.*}} does not come through 'stablehlo.dot_general' {{.*}}: "x" splits dim 0 of %c already
// CHECK-NEXT: dim 2 (size 3) is split along "y":
// JSON: "kind": "used"
// CHECK: %d, 'stablehlo.iota' {{.*}}: [{?}, {"y", ?}], inferred
// CHECK-NEXT: dim 0 (size 4) is not split:
// CHECK-NEXT: made of constants alone: it lies wherever it is needed
func.func @main(%a: tensor<3x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %b: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})
    -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4x3xf32>) {
  %c = stablehlo.iota dim = 0 : tensor<6x10x3xf32>
  %0 = stablehlo.dot_general %a, %c, contracting_dims = [0, 1] x [2, 1] : (tensor<3x10xf32>, tensor<6x10x3xf32>) -> tensor<6xf32>
  %d = stablehlo.iota dim = 0 : tensor<4x3xf32>
  %1 = stablehlo.add %b, %d : tensor<4x3xf32>
  return %0, %1 : tensor<6xf32>, tensor<4x3xf32>
}

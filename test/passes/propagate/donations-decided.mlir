// RUN: spmd-opt %s --spmd-propagate -o %t 2>/dev/null
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --spmd-propagate 2>/dev/null | diff %t -

sdy.mesh @mesh = <["x"=2, "y"=6]>

// An argument that was decided to be whole along an axis says nothing of the result, which was, too.
// CHECK-LABEL: func.func @decided_argument
// CHECK-SAME: %arg0: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"y"}>, spmd.inferred, tf.aliasing_output = 0 : i32}
// CHECK-SAME: -> (tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", ?}], replicated={"y"}>, spmd.inferred}
func.func @decided_argument(%a: tensor<2x4xf32> {tf.aliasing_output = 0 : i32},
                            %b: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
                            %w: tensor<4x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                            %c: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<2x4xf32>, tensor<2x32xf32>, tensor<2x4xf32>) {
  %0 = stablehlo.subtract %a, %b : tensor<2x4xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<2x4xf32>, tensor<4x32xf32>) -> tensor<2x32xf32>
  %2 = stablehlo.add %0, %c : tensor<2x4xf32>
  return %0, %1, %2 : tensor<2x4xf32>, tensor<2x32xf32>, tensor<2x4xf32>
}

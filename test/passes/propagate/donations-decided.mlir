// RUN: spmd-opt %s --spmd-propagate -o %t 2>/dev/null
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --spmd-propagate 2>/dev/null | diff %t -

sdy.mesh @mesh = <["x"=2, "y"=6]>

// An argument that was decided to be whole along an axis is known to lie so, and so does the result that takes over its
// buffer, whatever its own users want.
// CHECK-LABEL: func.func @decided_argument
// CHECK-SAME: %arg0: tensor<8x12xi16> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}], replicated={"x"}>, spmd.inferred, tf.aliasing_output = 0 : i32}
// CHECK-SAME: -> (tensor<8x12xi16> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}], replicated={"x"}>, spmd.inferred}
func.func @decided_argument(%a: tensor<8x12xi16> {tf.aliasing_output = 0 : i32},
                            %b: tensor<8x12xi16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
                            %w: tensor<12x64xi16> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
                            %c: tensor<8x12xi16> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<8x12xi16>, tensor<8x64xi16>, tensor<8x12xi16>) {
  %0 = stablehlo.subtract %a, %b : tensor<8x12xi16>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<8x12xi16>, tensor<12x64xi16>) -> tensor<8x64xi16>
  %2 = stablehlo.add %0, %c : tensor<8x12xi16>
  return %0, %1, %2 : tensor<8x12xi16>, tensor<8x64xi16>, tensor<8x12xi16>
}

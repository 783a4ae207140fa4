// RUN: spmd-opt %s --spmd-propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate -o %t.1 && spmd-opt %t.1 --spmd-propagate -o %t.2 && diff %t.1 %t.2
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy -o %t.1 && spmd-opt %t.1 --spmd-propagate=conflicts=shardy -o %t.2 && diff %t.1 %t.2

sdy.mesh @mesh = <["x"=2, "y"=2]>

// A donated argument and the result that takes it over lie alike, whatever the result would be without.
// CHECK-LABEL: func.func @free_result
// CHECK-SAME: -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.inferred})
func.func @free_result(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32},
                       %t: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<4x6xf32> {
  %0 = stablehlo.negate %t : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// A result that the user wants to lie otherwise stays so.
// CHECK-LABEL: func.func @pinned_result
// CHECK-SAME: -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})
func.func @pinned_result(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32})
    -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %0 = stablehlo.negate %a : tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// What the result is made of learns how it lies, as if that had been said at the result.
// CHECK-LABEL: func.func @behind_a_barrier
// CHECK-SAME: -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.inferred})
// CHECK: sdy.propagation_barrier {{.*}}sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.inferred
// CHECK: stablehlo.negate {{.*}}sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.inferred
func.func @behind_a_barrier(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32}) -> tensor<4x6xf32> {
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<4x6xf32>
  %1 = stablehlo.negate %0 : tensor<4x6xf32>
  return %1 : tensor<4x6xf32>
}

// An argument that is whole because others want it so says nothing of the result, read again neither.
// CHECK-LABEL: func.func @unknown_argument
// CHECK-SAME: %arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>, spmd.inferred, tf.aliasing_output = 0 : i32}
// CHECK-SAME: -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>, spmd.inferred}
func.func @unknown_argument(%a: tensor<8xf32> {tf.aliasing_output = 0 : i32},
                            %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.negate %b : tensor<8xf32>
  %1 = sdy.sharding_constraint %a <@mesh, [{}]> : tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// One that is best left whole, against what reads it, does: the result is brought there.
// CHECK-LABEL: func.func @left_whole
// CHECK-SAME: %arg0: tensor<2x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"y"}>, spmd.inferred, tf.aliasing_output = 1 : i32}
// CHECK-SAME: -> ({{.*}}, tensor<2x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"y"}>, spmd.inferred})
func.func @left_whole(%a: tensor<2x2xi32> {tf.aliasing_output = 1 : i32}, %t: tensor<2x2xi32>,
                      %b: tensor<2x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>}) -> (tensor<2x2xi32>, tensor<2x2xi32>) {
  %rows = sdy.sharding_constraint %a <@mesh, [{"y"}, {}]> : tensor<2x2xi32>
  %0 = stablehlo.dot_general %t, %t, contracting_dims = [1] x [0] : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %1 = stablehlo.multiply %a, %t : tensor<2x2xi32>
  return %rows, %b : tensor<2x2xi32>, tensor<2x2xi32>
}

// A constant is made as it is returned; an argument that learns from one result gives that to another.
// CHECK-LABEL: func.func @constants
// CHECK-SAME: %arg1: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", ?}]>, spmd.inferred, tf.aliasing_output = 2 : i32}
// CHECK-SAME: -> (tensor<4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y", ?}]>, spmd.inferred},
// CHECK-SAME: tensor<4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}]>, spmd.inferred},
// CHECK-SAME: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", ?}]>, spmd.inferred})
// CHECK: %[[ROWS:.*]] = stablehlo.iota dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>, spmd.inferred}
// CHECK: %[[COLUMNS:.*]] = stablehlo.iota dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"x", ?}]>]>, spmd.inferred}
// CHECK: return %[[ROWS]], %{{.*}}, %[[COLUMNS]]
func.func @constants(%a: tensor<4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y", ?}]>, tf.aliasing_output = 0 : i32},
                     %b: tensor<5x4xf32> {tf.aliasing_output = 2 : i32},
                     %c: tensor<4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}]>, tf.aliasing_output = 1 : i32})
    -> (tensor<4x5xf32>, tensor<4x5xf32>, tensor<5x4xf32>) {
  %0 = stablehlo.iota dim = 0 : tensor<4x5xf32>
  %1 = stablehlo.transpose %b, dims = [1, 0] : (tensor<5x4xf32>) -> tensor<4x5xf32>
  %2 = stablehlo.iota dim = 1 : tensor<5x4xf32>
  return %0, %1, %2 : tensor<4x5xf32>, tensor<4x5xf32>, tensor<5x4xf32>
}

// An argument of which the user says nothing lies as the result that takes it over, if that is pinned, and not as what reads it.
// CHECK-LABEL: func.func @pinned_result_of_free_argument
// CHECK-SAME: %arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.inferred, tf.aliasing_output = 0 : i32}
// CHECK-SAME: %arg2: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y", ?}, {?}]>, spmd.inferred}
func.func @pinned_result_of_free_argument(%w: tensor<8x16xf32> {tf.aliasing_output = 0 : i32},
                                          %g: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, %h: tensor<8x16xf32>)
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %w, %g : tensor<8x16xf32>
  %1 = stablehlo.multiply %h, %g : tensor<8x16xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// RUN: spmd-opt %s --split-input-file --spmd-propagate | FileCheck %s

// Pins of one sharding group say together how its members are sharded, before anything else does.

// Each open dim takes the longest list of axes that a pin has, and is closed if a pin closes it.
sdy.mesh @m = <["x"=2, "y"=3]>
// CHECK-LABEL: func.func @longest(
// CHECK-SAME: %arg0: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y", ?}, {}]>}
// CHECK-SAME: %arg1: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y", ?}, {}]>}
// CHECK-SAME: %arg2: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y", ?}, {}]>}
func.func @longest(%a: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {}]>},
                   %b: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y", ?}, {?}]>},
                   %c: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}]>}) {
  sdy.sharding_group %a group_id=1 : tensor<12x6xf32>
  sdy.sharding_group %b group_id=1 : tensor<12x6xf32>
  sdy.sharding_group %c group_id=1 : tensor<12x6xf32>
  return
}

// -----

// A dim of a later priority says nothing at first: "y" is there before "x".
sdy.mesh @m = <["x"=2, "y"=3]>
// CHECK-LABEL: func.func @later_axes(
// CHECK-SAME: %arg1: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", "x", ?}, {?}]>}
func.func @later_axes(%a: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}p1, {?}]>},
                      %b: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {?}]>}) -> tensor<12x6xf32> {
  sdy.sharding_group %a group_id=1 : tensor<12x6xf32>
  sdy.sharding_group %b group_id=1 : tensor<12x6xf32>
  %0 = stablehlo.negate %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y", ?}, {?}]>]>} : tensor<12x6xf32>
  return %0 : tensor<12x6xf32>
}

// -----

// So does it behind a pin that says something.
sdy.mesh @m = <["x"=2, "y"=3]>
// CHECK-LABEL: func.func @later_axes_of_second(
// CHECK-SAME: %arg1: tensor<12x6x2xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}, {?}, {"x"}]>}
func.func @later_axes_of_second(%a: tensor<12x6x2xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y", ?}p1, {"x"}]>},
                                %b: tensor<12x6x2xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {?}, {"x"}]>}) -> tensor<12x6x2xf32> {
  sdy.sharding_group %b group_id=1 : tensor<12x6x2xf32>
  sdy.sharding_group %a group_id=1 : tensor<12x6x2xf32>
  %0 = stablehlo.negate %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y", ?}, {?}, {"x"}]>]>} : tensor<12x6x2xf32>
  return %0 : tensor<12x6x2xf32>
}

// -----

// A closed dim of a later priority closes no other.
sdy.mesh @m = <["x"=2, "y"=3]>
// CHECK-LABEL: func.func @closed_later(
// CHECK-SAME: %arg1: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y", ?}, {}]>}
func.func @closed_later(%a: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}p1, {}]>},
                        %b: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}]>}) -> tensor<12x6xf32> {
  sdy.sharding_group %a group_id=1 : tensor<12x6xf32>
  sdy.sharding_group %b group_id=1 : tensor<12x6xf32>
  %0 = stablehlo.negate %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", "y", ?}, {?}]>]>} : tensor<12x6xf32>
  return %0 : tensor<12x6xf32>
}

// -----

// An open dim of a later priority takes nothing at first.
sdy.mesh @m = <["x"=2, "y"=3]>
// CHECK-LABEL: func.func @open_later(
// CHECK-SAME: %arg1: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}p1, {}]>}
func.func @open_later(%a: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>},
                      %b: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}p1, {?}]>}) -> tensor<12x6xf32> {
  sdy.sharding_group %a group_id=1 : tensor<12x6xf32>
  sdy.sharding_group %b group_id=1 : tensor<12x6xf32>
  %0 = stablehlo.negate %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y", ?}, {?}]>]>} : tensor<12x6xf32>
  return %0 : tensor<12x6xf32>
}

// -----

// Replicated pins may be on several meshes; one closes the dims of those on its own.
sdy.mesh @m = <["x"=2, "y"=3]>
sdy.mesh @n = <["u"=6]>
// CHECK-LABEL: func.func @other_mesh(
// CHECK-SAME: %arg0: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@n, [{?}, {?}]>}
// CHECK-SAME: %arg1: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {?}]>}
// CHECK-SAME: %arg2: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {?}]>}
func.func @other_mesh(%a: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@n, [{?}, {?}]>},
                      %b: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {?}]>},
                      %c: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {?}]>}) {
  sdy.sharding_group %a group_id=1 : tensor<12x6xf32>
  sdy.sharding_group %b group_id=1 : tensor<12x6xf32>
  sdy.sharding_group %c group_id=1 : tensor<12x6xf32>
  return
}

// -----

// A group without pins waits; the next one does not.
sdy.mesh @m = <["x"=2, "y"=3]>
// CHECK-LABEL: func.func @second_group(
// CHECK-SAME: %arg3: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y"}]>, spmd.inferred}
func.func @second_group(%a: tensor<12x6xf32>, %b: tensor<12x6xf32>,
                        %c: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y"}]>}, %d: tensor<12x6xf32>) -> tensor<12x6xf32> {
  sdy.sharding_group %a group_id=1 : tensor<12x6xf32>
  sdy.sharding_group %b group_id=1 : tensor<12x6xf32>
  sdy.sharding_group %c group_id=2 : tensor<12x6xf32>
  sdy.sharding_group %d group_id=2 : tensor<12x6xf32>
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x"}, {?}]>]>} : tensor<12x6xf32>
  return %0 : tensor<12x6xf32>
}

// -----

// Members of another size learn in the rounds, and keep what they say.
sdy.mesh @m = <["x"=2, "y"=3]>
// CHECK-LABEL: func.func @other_size(
// CHECK-SAME: %arg1: tensor<12x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {"y", ?}]>}
// CHECK-SAME: %arg2: tensor<12x3xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {"y", ?}]>, spmd.inferred}
func.func @other_size(%a: tensor<12x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>},
                      %b: tensor<12x3xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y", ?}]>}, %c: tensor<12x3xf32>) {
  sdy.sharding_group %a group_id=1 : tensor<12x6xf32>
  sdy.sharding_group %b group_id=1 : tensor<12x3xf32>
  sdy.sharding_group %c group_id=1 : tensor<12x3xf32>
  return
}

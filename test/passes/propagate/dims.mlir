// RUN: spmd-opt %s --spmd-propagate -o %t
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --spmd-propagate | diff %t -

sdy.mesh @mesh = <["x"=2, "y"=4]>

// A closed dim never changes, an open one may grow.
// CHECK-LABEL: func.func @closed_and_open(
// CHECK-SAME: %arg0: {{.*}}sdy.sharding<@mesh, [{"x", "y", ?}, {}]>
// CHECK: stablehlo.add{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", "y", ?}, {?}]>]>, spmd.inferred
// CHECK: stablehlo.add{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", "y", ?}, {?}]>]>, spmd.inferred
func.func @closed_and_open(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}]>}, %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {?}]>}, %c: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x16xf32>
  %1 = stablehlo.add %0, %c : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// What `replicated` names stays out of the value.
// CHECK-LABEL: func.func @replicated_axis(
// CHECK-SAME: %arg1: {{.*}}sdy.sharding<@mesh, [{"x", ?}, {?}], replicated={"y"}>
// CHECK: stablehlo.add{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>, spmd.inferred
func.func @replicated_axis(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}], replicated={"y"}>}) -> tensor<8x16xf32> {
  %0 = stablehlo.add %a, %b : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// Both want "x" in the result; the larger tensor has it.
// CHECK-LABEL: func.func @conflict_by_bytes(
// CHECK: stablehlo.dot_general{{.*}}sdy.sharding_per_value<[<@mesh, [{?}, {"x", ?}]>]>, spmd.inferred
func.func @conflict_by_bytes(%small: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %large: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<4x64xf32> {
  %0 = stablehlo.dot_general %small, %large, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// Of equal weight, the earlier operand has it.
// CHECK-LABEL: func.func @conflict_tie(
// CHECK: stablehlo.dot_general{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.inferred
func.func @conflict_tie(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// p0 comes before p1, whatever the sizes.
// CHECK-LABEL: func.func @priorities(
// CHECK: stablehlo.dot_general{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.inferred
func.func @priorities(%small: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p0, {}]>}, %large: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}p1]>}) -> tensor<4x64xf32> {
  %0 = stablehlo.dot_general %small, %large, contracting_dims = [1] x [0] : (tensor<4x8xf32>, tensor<8x64xf32>) -> tensor<4x64xf32>
  return %0 : tensor<4x64xf32>
}

// Each level is through before the next comes up: of three that want "x" along the chain, that of p1 has it, though it is
// the smallest and farthest; those of p2 and p7 are moved.
// CHECK-LABEL: func.func @four_levels(
// CHECK: stablehlo.add{{.*}}sdy.sharding_per_value<[<@mesh, [{"y", ?}, {"x", ?}]>]>, spmd.inferred
// CHECK: stablehlo.add{{.*}}sdy.sharding_per_value<[<@mesh, [{"y", ?}, {"x", ?}]>]>, spmd.inferred
// CHECK: stablehlo.negate{{.*}}sdy.sharding_per_value<[<@mesh, [{"y", ?}, {"x", ?}]>]>, spmd.inferred
func.func @four_levels(%a: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p7, {?}]>},
                       %b: tensor<8x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p2, {?}]>},
                       %c: tensor<64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p1]>},
                       %d: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}p0]>}) -> tensor<8x64xf32> {
  %columns = stablehlo.broadcast_in_dim %c, dims = [1] : (tensor<64xf32>) -> tensor<8x64xf32>
  %rows = stablehlo.broadcast_in_dim %d, dims = [0] : (tensor<8xf32>) -> tensor<8x64xf32>
  %0 = stablehlo.add %columns, %rows : tensor<8x64xf32>
  %1 = stablehlo.add %0, %b : tensor<8x64xf32>
  %2 = stablehlo.negate %1 : tensor<8x64xf32>
  %3 = stablehlo.add %2, %a : tensor<8x64xf32>
  return %3 : tensor<8x64xf32>
}

// An uneven dim is sharded as one that divides.
// CHECK-LABEL: func.func @uneven(
// CHECK: stablehlo.negate{{.*}}sdy.sharding_per_value<[<@mesh, [{"y", ?}]>]>, spmd.inferred
func.func @uneven(%a: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<5xf32> {
  %0 = stablehlo.negate %a : tensor<5xf32>
  return %0 : tensor<5xf32>
}

// Parts of an axis pass as they are.
// CHECK-LABEL: func.func @sub_axes(
// CHECK: stablehlo.transpose{{.*}}sdy.sharding_per_value<[<@mesh, [{"y":(2)2, ?}, {"y":(1)2, ?}]>]>, spmd.inferred
func.func @sub_axes(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y":(1)2}, {"y":(2)2}]>}) -> tensor<16x8xf32> {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x16xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
}

// A constraint speaks for the value before and after it.
// CHECK-LABEL: func.func @constraint(
// CHECK-SAME: %arg0: {{.*}}sdy.sharding<@mesh, [{"x", ?}, {?}]>, spmd.inferred
// CHECK: stablehlo.negate{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.inferred
// CHECK: stablehlo.negate{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.inferred
func.func @constraint(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.negate %a : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {?}]> : tensor<8x16xf32>
  %2 = stablehlo.negate %1 : tensor<8x16xf32>
  return %2 : tensor<8x16xf32>
}

// What a dim of one value has along another is told apart by `spmd.inferred`.
// CHECK-LABEL: func.func @inferred_marks(
// CHECK: stablehlo.negate{{.*}}sdy.sharding_per_value<[<@mesh, [{"x"}]>]>
// CHECK: stablehlo.negate{{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>, spmd.inferred
func.func @inferred_marks(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<8xf32>
  %1 = stablehlo.negate %0 : tensor<8xf32>
  return %1 : tensor<8xf32>
}

// A dim that is shorter than the one it learns from takes no axis along which most of it would be padding; what is pinned
// stays, and what lies as that does follows. Padding costs
// little where all that is done on the way to a result is elementwise: there the rows stay where they are.
// CHECK-LABEL: func.func @short_dims(
// CHECK: stablehlo.slice %arg0 [0:5, 0:6] {{.*}}<@line, [{"d", ?}, {?}]>
// CHECK: stablehlo.slice %arg0 [0:3, 0:6] {{.*}}[{?}, {?}]>
// CHECK: stablehlo.dot_general {{.*}}[{?}, {?}]>
// CHECK: stablehlo.negate %arg1 {{.*}}<@line, [{"d", ?}, {?}]>
// CHECK: stablehlo.slice %arg0 [7:10, 0:6] {{.*}}<@line, [{"d", ?}, {?}]>
sdy.mesh @line = <["d"=8]>
func.func @short_dims(%a: tensor<13x6xf32> {sdy.sharding = #sdy.sharding<@line, [{"d"}, {}]>}, %b: tensor<3x6xf32> {sdy.sharding = #sdy.sharding<@line, [{"d"}, {}]>}, %w: tensor<6x6xf32>)
    -> (tensor<5x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>) {
  %0 = stablehlo.slice %a [0:5, 0:6] : (tensor<13x6xf32>) -> tensor<5x6xf32>
  %1 = stablehlo.slice %a [0:3, 0:6] : (tensor<13x6xf32>) -> tensor<3x6xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<3x6xf32>, tensor<6x6xf32>) -> tensor<3x6xf32>
  %3 = stablehlo.negate %b : tensor<3x6xf32>
  %4 = stablehlo.slice %a [7:10, 0:6] : (tensor<13x6xf32>) -> tensor<3x6xf32>
  %5 = stablehlo.negate %4 : tensor<3x6xf32>
  return %0, %2, %3, %5 : tensor<5x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>, tensor<3x6xf32>
}

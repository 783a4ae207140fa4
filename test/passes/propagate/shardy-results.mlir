// What operands learn from each other where the result of both cannot follow, and where there is no such result
// (docs/shardy.md).
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy 2>/dev/null | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy -o %t.mlir 2>/dev/null
// RUN: spmd-opt %t.mlir --spmd-propagate=conflicts=shardy 2>/dev/null | diff %t.mlir -

sdy.mesh @m = <["x"=2, "y"=4]>

// The product keeps "y" replicated, so %b has no columns from %a.
// CHECK-LABEL: func.func @replicated_in_the_result(
// CHECK-SAME: %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}]>, spmd.inferred}
func.func @replicated_in_the_result(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>},
    %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.multiply %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}], replicated={"y"}>]>} : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// It has "x" along its columns: %b lies as it does, not as %a.
// CHECK-LABEL: func.func @elsewhere_in_the_result(
// CHECK-SAME: %arg1: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"x", ?}]>, spmd.inferred}
func.func @elsewhere_in_the_result(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>},
    %b: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.multiply %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {"x"}]>]>} : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// What branches give is no result of an op on both: a closed one that has less does not object.
// CHECK-LABEL: func.func @closed_in_a_branch(
// CHECK: }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", "y", ?}]>]>
func.func @closed_in_a_branch(%i: tensor<i32>, %a: tensor<8xi64> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>},
    %b: tensor<8xi64> {sdy.sharding = #sdy.sharding<@m, [{"x", "y"}]>}) -> tensor<8xi64> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<8xi64>
  }, {
    stablehlo.return %b : tensor<8xi64>
  }) : (tensor<i32>) -> tensor<8xi64>
  return %0 : tensor<8xi64>
}

// Nor does the one that is split more go first: "y" goes to the columns, where the first branch has it.
// CHECK-LABEL: func.func @first_of_branches(
// CHECK: }) {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", ?}, {"y", ?}]>]>
func.func @first_of_branches(%i: tensor<i32>, %a: tensor<8x8xi64> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y", ?}]>},
    %b: tensor<8x8xi64> {sdy.sharding = #sdy.sharding<@m, [{"x", "y", ?}, {?}]>}) -> tensor<8x8xi64> {
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %a : tensor<8x8xi64>
  }, {
    stablehlo.return %b : tensor<8x8xi64>
  }) : (tensor<i32>) -> tensor<8x8xi64>
  return %0 : tensor<8x8xi64>
}

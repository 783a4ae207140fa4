// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s

// Rows that compare equal may be exchanged where nobody can tell them apart: where one input of integers is compared, in a strict
// order of both rows. Other comparators give results that depend on where each row was.
sdy.mesh @mesh = <["x"=2]>

// Parts are sorted and merged.
// CHECK-LABEL: func.func @strict_order(
// CHECK-NOT: all_gather
// CHECK: collective_permute
func.func @strict_order(%a: tensor<1048576xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<1048576xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %1 = stablehlo.compare LT, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<1048576xi32>) -> tensor<1048576xi32>
  return %0 : tensor<1048576xi32>
}

// This is no order.
// CHECK-LABEL: func.func @no_order(
// CHECK: "stablehlo.all_gather"
func.func @no_order(%a: tensor<1048576xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<1048576xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %1 = stablehlo.compare NE, %p, %q, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<1048576xi32>) -> tensor<1048576xi32>
  return %0 : tensor<1048576xi32>
}

// So is what compares one row alone.
// CHECK-LABEL: func.func @of_one_row(
// CHECK: "stablehlo.all_gather"
func.func @of_one_row(%a: tensor<1048576xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<1048576xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %1 = stablehlo.compare LT, %p, %p, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<1048576xi32>) -> tensor<1048576xi32>
  return %0 : tensor<1048576xi32>
}

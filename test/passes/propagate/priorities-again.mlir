// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate=conflicts=shardy | diff %t.mlir -
// RUN: spmd-opt %s --spmd-propagate -o %t.ours.mlir
// RUN: spmd-opt %t.ours.mlir --spmd-propagate | diff %t.ours.mlir -

// RUN: FileCheck %s --check-prefix=SERVED < %t.ours.mlir
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=PARTITIONED

// What was inferred does not say at which user priority. So in a second run lower ones wait no more: else "x", in its
// place from the start, came to the rows of %a before "y", and so to those of %b.
// SERVED: module attributes {spmd.priorities_served}
// PARTITIONED-NOT: spmd.priorities_served
sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}p2, {}]>}
// CHECK: stablehlo.sort
// CHECK: <@mesh, [{"x", ?}, {"y", ?}]>, <@mesh, [{?}, {"y", ?}]>
func.func @main(%a: tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}p2, {}]>}, %b: tensor<5x3xi32>)
    -> (tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}p2, {"y", ?}]>}) {
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%c: tensor<f32>, %d: tensor<f32>, %e: tensor<i32>, %f: tensor<i32>):
    %1 = stablehlo.compare LT, %c, %d : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<5x3xf32>, tensor<5x3xi32>) -> (tensor<5x3xf32>, tensor<5x3xi32>)
  return %0#0 : tensor<5x3xf32>
}

// RUN: spmd-opt %s --spmd-propagate -o %t.once.mlir
// RUN: FileCheck %s --check-prefixes=CHECK,OURS < %t.once.mlir
// RUN: spmd-opt %t.once.mlir --spmd-propagate | diff %t.once.mlir -
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy -o %t.once.mlir
// RUN: FileCheck %s --check-prefixes=CHECK,SHARDY < %t.once.mlir
// RUN: spmd-opt %t.once.mlir --spmd-propagate=conflicts=shardy | diff %t.once.mlir -
// RUN: spmd-opt %s --spmd-explain="value=%b" | FileCheck %s --check-prefix=EXPLAIN

// What goes into a manual computation and its argument inside are one to the user, who reads one
// sharding of both: what either learns, the other learns before anything else does.
sdy.mesh @mesh = <["x"=4, "y"=2, "z"=2]>

// From outside rows come split along "z", and inside somebody wants columns so.
// CHECK-LABEL: func.func @rows_or_columns(
// CHECK: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"z", ?}, {?}, {"y", "x", ?}]>]
// OURS: stablehlo.add {{.*}}<@mesh, [{"z", ?}, {?}, {?}]>
// SHARDY: stablehlo.add {{.*}}<@mesh, [{?}, {"z", ?}, {?}]>
// EXPLAIN: %b, argument 0 of 'sdy.manual_computation'
// EXPLAIN-SAME: [{"z", ?}, {?}, {?}]
// EXPLAIN: dim 1 (size 6) is not split:
// EXPLAIN-NEXT: "z" of %1 dim 1 {{.*}} "z" splits dim 0 of %b already
func.func @rows_or_columns(%a: tensor<5x6x8xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {"y"}, {"x", ?}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{?}, {?}, {"y", "x", ?}]>] out_shardings=[<@mesh, [{?}, {}, {"y", "x", ?}]>] manual_axes={"x", "y"} (%b: tensor<5x6x1xui8>) {
    %1 = sdy.sharding_constraint %b <@mesh, [{}, {"z"}, {}]> : tensor<5x6x1xui8>
    %2 = stablehlo.add %1, %b : tensor<5x6x1xui8>
    sdy.return %2 : tensor<5x6x1xui8>
  } : (tensor<5x6x8xui8>) -> tensor<5x6x8xui8>
  return
}

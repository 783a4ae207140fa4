// RUN: spmd-opt %s --spmd-propagate -o %t.once.mlir
// RUN: FileCheck %s < %t.once.mlir
// RUN: spmd-opt %t.once.mlir --spmd-propagate | diff %t.once.mlir -
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy -o %t.once.mlir
// RUN: FileCheck %s < %t.once.mlir
// RUN: spmd-opt %t.once.mlir --spmd-propagate=conflicts=shardy | diff %t.once.mlir -

// Free axes behind manual ones are as the user wrote them, also where they do not divide what these leave of a dim, and
// so what is outside lies. Resharding brings it to rows that are the same inside.
sdy.mesh @mesh = <["x"=2, "y"=3]>

// CHECK-LABEL: func.func @does_not_divide(
// CHECK: in_shardings=[<@mesh, [{}, {"x", "y", ?}]>] out_shardings=[<@mesh, [{}, {"x", "y", ?}]>] manual_axes={"x"}
func.func @does_not_divide(%a: tensor<4x2xf64>) -> (tensor<4x2xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {?}]>}) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {"x", "y", ?}]>] out_shardings=[<@mesh, [{}, {"x", "y", ?}]>] manual_axes={"x"} (%b: tensor<4x1xf64>) {
    %1 = stablehlo.negate %b : tensor<4x1xf64>
    sdy.return %1 : tensor<4x1xf64>
  } : (tensor<4x2xf64>) -> tensor<4x2xf64>
  return %0 : tensor<4x2xf64>
}

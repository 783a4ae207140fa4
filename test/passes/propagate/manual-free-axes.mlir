// RUN: spmd-opt %s --spmd-propagate -o %t.once.mlir
// RUN: FileCheck %s --check-prefixes=CHECK,OURS < %t.once.mlir
// RUN: spmd-opt %t.once.mlir --spmd-propagate | diff %t.once.mlir -
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy -o %t.once.mlir
// RUN: FileCheck %s --check-prefixes=CHECK,SHARDY < %t.once.mlir
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

// Nor does an argument inside learn what the outside cannot lie as: there are no three parts of one column. So it
// lies by rows, as the outside does, also when it is read from there again.
// CHECK-LABEL: func.func @inside_only(
// OURS: in_shardings=[<@mesh, [{"y", ?}, {"x", ?}]>]
// OURS: stablehlo.add {{.*}}<@mesh, [{"y", ?}, {?}]>
// SHARDY: in_shardings=[<@mesh, [{?}, {"x", ?}]>]
func.func @inside_only(%a: tensor<3x2xi32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{?}, {"x", ?}]>] out_shardings=[<@mesh, [{"y"}, {"x"}]>] manual_axes={"x"} (%b: tensor<3x1xi32>) {
    %1 = sdy.sharding_constraint %b <@mesh, [{}, {"y"}]> : tensor<3x1xi32>
    %2 = stablehlo.add %1, %b : tensor<3x1xi32>
    sdy.return %2 : tensor<3x1xi32>
  } : (tensor<3x2xi32>) -> tensor<3x2xi32>
  return
}

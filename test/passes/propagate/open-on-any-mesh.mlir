// RUN: spmd-opt %s --spmd-propagate -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate | diff %t.mlir -

// What is inferred to have all dims open says nothing, and so belongs to no mesh when it is read again: else the operands
// that no axis came to, which are written on the first mesh, kept the others of their ops from learning.
sdy.mesh @uneven = <["x"=5, "y"=2]>
sdy.mesh @turned = <["u"=2, "v"=5]>
// CHECK-LABEL: func.func @open_on_any_mesh(
// CHECK: stablehlo.and {{.*}}<@turned, [{?}, {"v", "u", ?}]>
func.func @open_on_any_mesh(%p: tensor<2x10xi1>, %yes: tensor<i1>, %a: tensor<2x10xi32>, %zero: tensor<i32>, %b: tensor<2x4xi32>)
    -> (tensor<2x10xi32> {sdy.sharding = #sdy.sharding<@turned, [{"u"}, {}]>}) {
  %c = stablehlo.constant dense<0> : tensor<2x10xi32>
  %0 = sdy.manual_computation(%c) in_shardings=[<@turned, [{}, {"v", "u"}]>] out_shardings=[<@turned, [{}, {"v", "u"}]>] manual_axes={"u", "v"} (%part: tensor<2x1xi32>) {
    sdy.return %part : tensor<2x1xi32>
  } : (tensor<2x10xi32>) -> tensor<2x10xi32>
  %1 = "stablehlo.select_and_scatter"(%0, %b, %zero) <{window_dimensions = array<i64: 1, 3>, window_strides = array<i64: 1, 2>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %yes : tensor<i1>
  }, {
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    stablehlo.return %zero : tensor<i32>
  }) : (tensor<2x10xi32>, tensor<2x4xi32>, tensor<i32>) -> tensor<2x10xi32>
  %2 = stablehlo.and %0, %1 : tensor<2x10xi32>
  %3:3 = "stablehlo.sort"(%2, %2, %a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>, %z: tensor<i32>, %u: tensor<i32>, %v: tensor<i32>, %w: tensor<i32>):
    stablehlo.return %yes : tensor<i1>
  }) : (tensor<2x10xi32>, tensor<2x10xi32>, tensor<2x10xi32>) -> (tensor<2x10xi32>, tensor<2x10xi32>, tensor<2x10xi32>)
  %4 = stablehlo.select %p, %0, %3#1 : tensor<2x10xi1>, tensor<2x10xi32>
  %5 = sdy.sharding_constraint %3#0 <@uneven, [{"y", "x"}, {}]> : tensor<2x10xi32>
  return %4 : tensor<2x10xi32>
}

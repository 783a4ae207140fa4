// RUN: spmd-opt %s --spmd-propagate -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate | diff %t.mlir -

// In a second run, what was inferred of %0 must not give the rows of %a one axis more, "y", while their own waits for its
// priority.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK: module attributes {spmd.priorities_served}
func.func @main(%a: tensor<1x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}p2, {}]>}) -> (tensor<3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}p2, {"x"}p2]>}) {
  %0 = stablehlo.concatenate %a, %a, %a, dim = 0 : (tensor<1x3xf32>, tensor<1x3xf32>, tensor<1x3xf32>) -> tensor<3x3xf32>
  return %0 : tensor<3x3xf32>
}

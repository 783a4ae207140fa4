// A rule that somebody noted at an op does not go along to ops of other operands that take its place.
// RUN: spmd-opt %s --spmd-write-rules -o %t.mlir
// RUN: FileCheck %s --check-prefix=WRITTEN < %t.mlir
// RUN: spmd-run %t.mlir
// RUN: spmd-opt %t.mlir --spmd-legalize-chlo | FileCheck %s

// WRITTEN-COUNT-5: sdy.sharding_rule
// CHECK: stablehlo.select %{{[0-9]+}}, %{{[a-z_0-9]+}}, %{{[0-9]+}} {spmd.note} :
// CHECK: stablehlo.slice {{.*}}sdy.sharding_rule
sdy.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(%a: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<4xf32>) -> (tensor<5x4xi1>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<7x4xf32>) {
  %0 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction GE>} : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xi1>
  %1 = chlo.lgamma %a {spmd.note} : tensor<5x4xf32> -> tensor<5x4xf32>
  %2 = chlo.square %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %3 = stablehlo.concatenate %a, %a, dim = 0 : (tensor<5x4xf32>, tensor<5x4xf32>) -> tensor<10x4xf32>
  %4 = stablehlo.slice %3 [1:8, 0:4] : (tensor<10x4xf32>) -> tensor<7x4xf32>
  return %0, %1, %2, %4 : tensor<5x4xi1>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<7x4xf32>
}

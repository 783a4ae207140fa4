// RUN: spmd-run %s --engine=whole --out=%t
// RUN: spmd-opt %s --spmd-pipeline -o %t/part.mlir
// RUN: spmd-run %t/part.mlir --in=%t --expect=%t | FileCheck %s

// A partitioned program takes inputs as a whole, also where what a custom call computes is told for all sizes.
// CHECK: equal: {{ *}}yes
sdy.mesh @mesh = <["x"=2]>

func.func public @main(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xi32>) -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xi32>) {
  %0 = stablehlo.subtract %a, %a : tensor<8xi32>
  %1 = stablehlo.custom_call @sum(%a, %0) {spmd.reference = @sum, spmd.rule = {dims = "([i], [i])->([i])"}} : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi32>
  return %1, %b : tensor<8xi32>, tensor<8xi32>
}

func.func private @sum(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %0 = stablehlo.add %a, %b : tensor<?xi32>
  return %0 : tensor<?xi32>
}

// A callee stores back what it loaded. What it leaves is a result to its callers in both modes, so that both spread
// shardings alike, and the result that nobody pinned lies alike.
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s
sdy.mesh @mesh = <["x"=2, "y"=3]>
// CHECK: func.func public @main
// CHECK-SAME: -> (tensor<3x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}, {?}]>
func.func public @main(%arg0: !spmd.buffer<tensor<8x4xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %arg1: tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> tensor<8x4xi32> {
  %0 = func.call @callee(%arg0, %arg1) : (!spmd.buffer<tensor<8x4xi32>>, tensor<8x4xi32>) -> tensor<8x4xi32>
  %1 = func.call @callee(%arg0, %arg1) : (!spmd.buffer<tensor<8x4xi32>>, tensor<8x4xi32>) -> tensor<8x4xi32>
  %2 = stablehlo.multiply %0, %0 : tensor<8x4xi32>
  %3 = stablehlo.maximum %arg1, %1 : tensor<8x4xi32>
  spmd.store %arg1, %arg0 : !spmd.buffer<tensor<8x4xi32>>
  %4 = spmd.load %arg0 : !spmd.buffer<tensor<8x4xi32>>
  %5 = stablehlo.multiply %1, %4 : tensor<8x4xi32>
  return %2 : tensor<8x4xi32>
}
func.func private @callee(%b: !spmd.buffer<tensor<8x4xi32>>, %t: tensor<8x4xi32>) -> tensor<8x4xi32> {
  %0 = spmd.load %b : !spmd.buffer<tensor<8x4xi32>>
  %1 = stablehlo.multiply %t, %0 : tensor<8x4xi32>
  spmd.store %0, %b : !spmd.buffer<tensor<8x4xi32>>
  return %0 : tensor<8x4xi32>
}

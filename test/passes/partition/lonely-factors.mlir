// A factor that only operands or only results have cannot split: nobody knows what the op does
// with it.
// RUN: spmd-opt %s --spmd-pipeline 2>&1 | FileCheck %s

sdy.mesh @mesh = <["x"=2]>

// CHECK: %[[WHOLE:.*]] = "stablehlo.all_gather"(%arg0)
// CHECK: stablehlo.custom_call @solve(%[[WHOLE]])
// CHECK-SAME: (tensor<4x4xf32>) -> tensor<4x6xf32>
// CHECK: stablehlo.dynamic_slice
func.func @main(%x: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.custom_call @solve(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, l]) {i=4, j=4, k=4, l=6}, custom>} : (tensor<4x4xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

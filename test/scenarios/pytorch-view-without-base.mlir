// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: %{both-modes}
// A result that is a view is one result: what it is a view of is not returned beside it.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<4x16x4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>, spmd.global_type = tensor<8x16x4xf32>}
// CHECK-SAME: -> (tensor<1x4x16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", ?}, {?}, {?}]>, spmd.global_type = tensor<1x8x16x4xf32>})
func.func @main(
    %q: !spmd.buffer<tensor<8x16x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>})
    -> tensor<1x8x16x4xf32> {
  %base = spmd.alloc : !spmd.buffer<tensor<8x16x4xf32>>
  %0 = spmd.load %q : !spmd.buffer<tensor<8x16x4xf32>>
  %1 = stablehlo.add %0, %0 : tensor<8x16x4xf32>
  spmd.store %1, %base : !spmd.buffer<tensor<8x16x4xf32>>
  %out = spmd.reshape_view %base : (!spmd.buffer<tensor<8x16x4xf32>>) -> !spmd.buffer<tensor<1x8x16x4xf32>>
  %2 = spmd.load %out : !spmd.buffer<tensor<1x8x16x4xf32>>
  return %2 : tensor<1x8x16x4xf32>
}

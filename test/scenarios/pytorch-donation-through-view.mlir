// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: %{both-modes}
// A cache that is written through a view, `cache[:, 3:5] = k`, stays one cache: it is donated to what it holds then, and
// nothing of it moves.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<2x6x4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>, spmd.global_type = tensor<4x6x8xf32>, tf.aliasing_output = 0 : i32}
// CHECK-SAME: tensor<2x2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}, {"y", ?}]>, spmd.global_type = tensor<4x2x8xf32>}
// CHECK-SAME: -> (tensor<2x6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>, spmd.global_type = tensor<4x6x8xf32>})
func.func @main(
    %cache: !spmd.buffer<tensor<4x6x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
    %k: tensor<4x2x8xf32>) {
  %part = spmd.slice_view %cache [0:4, 3:5, 0:8] : (!spmd.buffer<tensor<4x6x8xf32>>) -> !spmd.buffer<tensor<4x2x8xf32>>
  spmd.store %k, %part : !spmd.buffer<tensor<4x2x8xf32>>
  return
}

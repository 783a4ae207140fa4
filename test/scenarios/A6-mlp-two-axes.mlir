// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// A weight split over both axes of a mesh, first "a", then "b": a quarter on each device, and no axis is lost.
// The other order of axes is another sharding, so devices 1 and 2 swap their parts.

sdy.mesh @mesh = <["a"=2, "b"=2]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<8x10xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>, spmd.global_type = tensor<32x10xf32>}
// CHECK-SAME: tensor<8x10xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}]>, spmd.global_type = tensor<32x10xf32>, tf.aliasing_output = 1 : i32}
// CHECK-SAME: -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"a", "b", ?}]>, spmd.global_type = tensor<8x32xf32>},
// CHECK-SAME: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}]>, spmd.global_type = tensor<32x10xf32>})
// CHECK: stablehlo.dot_general %{{.*}} : (tensor<8x10xf32>, tensor<10x8xf32>) -> tensor<8x8xf32>
// CHECK: "stablehlo.collective_permute"
// CHECK-SAME{LITERAL}: source_target_pairs = dense<[[0, 0], [2, 1], [1, 2], [3, 3]]>
func.func @main(%x: tensor<8x10xf32>,
                %w1: !spmd.buffer<tensor<32x10xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>},
                %other: !spmd.buffer<tensor<32x10xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"b", "a"}, {}]>})
    -> tensor<8x32xf32> {
  %v = spmd.transpose_view %w1, dims = [1, 0] : (!spmd.buffer<tensor<32x10xf32>>) -> !spmd.buffer<tensor<10x32xf32>>
  %w1t = spmd.load %v : !spmd.buffer<tensor<10x32xf32>>
  %h = stablehlo.dot_general %x, %w1t, contracting_dims = [1] x [0] : (tensor<8x10xf32>, tensor<10x32xf32>) -> tensor<8x32xf32>
  %w = spmd.load %w1 : !spmd.buffer<tensor<32x10xf32>>
  spmd.store %w, %other : !spmd.buffer<tensor<32x10xf32>>
  return %h : tensor<8x32xf32>
}

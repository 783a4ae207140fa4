// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: %{both-modes}
// `x.copy_(y)`: x lies as the user said, however what is copied lies, also where that is pinned whole.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<3x5xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<6x5xf32>, tf.aliasing_output = 0 : i32}
// CHECK-SAME: tensor<6x5xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>, spmd.global_type = tensor<6x5xf32>}
// CHECK-SAME: tensor<6x5xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<6x5xf32>}
// CHECK-SAME: -> (tensor<3x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<6x5xf32>})
func.func @main(
    %x: !spmd.buffer<tensor<6x5xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %y: !spmd.buffer<tensor<6x5xf32>>,
    %whole: !spmd.buffer<tensor<6x5xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = spmd.load %y : !spmd.buffer<tensor<6x5xf32>>
  spmd.store %0, %x : !spmd.buffer<tensor<6x5xf32>>
  %1 = spmd.load %whole : !spmd.buffer<tensor<6x5xf32>>
  %2 = stablehlo.add %1, %1 : tensor<6x5xf32>
  spmd.store %2, %x : !spmd.buffer<tensor<6x5xf32>>
  return
}

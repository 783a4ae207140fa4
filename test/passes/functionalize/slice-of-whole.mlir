// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: %{both-modes}
// A part of an argument that lies whole, read as it is to be split: in both modes each device cuts its own rows of the whole,
// which is the same everywhere, and not of what it would hold of it.

sdy.mesh @mesh = <["x"=2, "y"=3]>

// CHECK-LABEL: func.func @main
// CHECK: %[[PADDED:.*]] = stablehlo.pad %{{.*}} -> tensor<8xi32>
// CHECK: stablehlo.dynamic_slice %[[PADDED]], %{{.*}}, sizes = [1]
// CHECK-NOT: stablehlo.dynamic_update_slice
func.func @main(%b: !spmd.buffer<tensor<7xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %t: tensor<7xi32>)
    -> (tensor<2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %v = spmd.slice_view %b [3:5] : (!spmd.buffer<tensor<7xi32>>) -> !spmd.buffer<tensor<2xi32>>
  %0 = spmd.load %v {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : !spmd.buffer<tensor<2xi32>>
  spmd.store %t, %b : !spmd.buffer<tensor<7xi32>>
  return %0 : tensor<2xi32>
}

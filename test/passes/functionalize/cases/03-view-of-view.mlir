// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// A store through a view of a view goes back through both, and the base shows it.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK: %[[INNER:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %{{.*}},
// CHECK: %[[BACK:.*]] = stablehlo.transpose %[[INNER]], dims = [1, 0]
// CHECK: %[[NEW:.*]] = sdy.sharding_constraint %[[BACK]]
// CHECK: return %[[NEW]], %[[NEW]]
// OFF-LABEL: func @main
// OFF: %[[BACK:.*]] = stablehlo.transpose %{{.*}}, dims = [1, 0] : (tensor<5x6xi32>) -> tensor<6x5xi32>
// OFF: spmd.store %[[BACK]]
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %t: tensor<2x6xi32>) -> tensor<6x5xi32> {
  %v = spmd.transpose_view %b, dims = [1, 0] : (!spmd.buffer<tensor<6x5xi32>>) -> !spmd.buffer<tensor<5x6xi32>>
  %w = spmd.slice_view %v [1:3, 0:6] : (!spmd.buffer<tensor<5x6xi32>>) -> !spmd.buffer<tensor<2x6xi32>>
  spmd.store %t, %w : !spmd.buffer<tensor<2x6xi32>>
  %0 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  return %0 : tensor<6x5xi32>
}

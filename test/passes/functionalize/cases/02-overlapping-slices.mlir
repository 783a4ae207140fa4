// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// Two slices that overlap are written in program order: the later store wins where both show an element.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-SAME: %[[T:[^:]*]]: tensor<4xi32>, %[[U:[^:]*]]: tensor<5xi32>
// CHECK: %[[FIRST:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %[[T]]
// CHECK: %[[HELD:.*]] = sdy.sharding_constraint %[[FIRST]]
// CHECK: %[[SECOND:.*]] = stablehlo.dynamic_update_slice %[[HELD]], %[[U]]
// CHECK: %[[LAST:.*]] = sdy.sharding_constraint %[[SECOND]]
// CHECK: return %[[LAST]]
// OFF-LABEL: func @main
// OFF-COUNT-2: spmd.store
func.func @main(%b: !spmd.buffer<tensor<9xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %t: tensor<4xi32>, %u: tensor<5xi32>) {
  %v = spmd.slice_view %b [1:5] : (!spmd.buffer<tensor<9xi32>>) -> !spmd.buffer<tensor<4xi32>>
  %w = spmd.slice_view %b [3:8] : (!spmd.buffer<tensor<9xi32>>) -> !spmd.buffer<tensor<5xi32>>
  spmd.store %t, %v : !spmd.buffer<tensor<4xi32>>
  spmd.store %u, %w : !spmd.buffer<tensor<5xi32>>
  return
}

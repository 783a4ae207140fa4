// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// Two arguments lie in one memory, one from element 2 on. The base is written; a view of the other shows it.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[BASE:[^:]*]]: tensor<9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, tf.aliasing_output = 1 : i32}, %[[OTHER:[^:]*]]: tensor<6xi32>)
// CHECK: %[[NEW:.*]] = stablehlo.add %[[BASE]], %[[BASE]]
// CHECK: %[[C:.*]] = sdy.sharding_constraint %[[NEW]]
// CHECK: %[[PART:.*]] = stablehlo.slice %[[C]] [2:8]
// CHECK: %[[SHOWN:.*]] = stablehlo.reshape %[[PART]] : (tensor<6xi32>) -> tensor<2x3xi32>
// CHECK: return %[[SHOWN]], %[[C]]
// OFF-LABEL: func @main
// OFF: spmd.store %{{.*}}, %[[BASE:.*]] :
// OFF: %[[L:.*]] = spmd.load %[[BASE]]
// OFF: stablehlo.slice %[[L]] [2:8]
func.func @main(
    %base: !spmd.buffer<tensor<9xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, spmd.memory = {name = "m", shape = array<i64: 9>,
        start_indices = array<i64: 0>, limit_indices = array<i64: 9>, strides = array<i64: 1>}},
    %other: !spmd.buffer<tensor<6xi32>> {spmd.memory = {name = "m", shape = array<i64: 9>,
        start_indices = array<i64: 2>, limit_indices = array<i64: 8>, strides = array<i64: 1>}}) -> tensor<2x3xi32> {
  %0 = spmd.load %base : !spmd.buffer<tensor<9xi32>>
  %1 = stablehlo.add %0, %0 : tensor<9xi32>
  spmd.store %1, %base : !spmd.buffer<tensor<9xi32>>
  %v = spmd.reshape_view %other : (!spmd.buffer<tensor<6xi32>>) -> !spmd.buffer<tensor<2x3xi32>>
  %2 = spmd.load %v : !spmd.buffer<tensor<2x3xi32>>
  return %2 : tensor<2x3xi32>
}

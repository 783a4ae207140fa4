// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// A copy of an argument that was taken before the argument is written keeps what was there.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[B:[^:]*]]: tensor<6x5xi32> {{.*}}tf.aliasing_output = 1 : i32}
// CHECK: %[[NEW:.*]] = stablehlo.add %[[B]], %[[B]]
// CHECK: %[[C:.*]] = sdy.sharding_constraint %[[NEW]]
// CHECK: return %[[B]], %[[C]]
// OFF-LABEL: func @main
// OFF: %[[COPY:.*]] = spmd.alloc
// OFF: %[[OLD:.*]] = spmd.load
// OFF: spmd.store %[[OLD]], %[[COPY]]
// OFF: spmd.store
// OFF: %[[R:.*]] = spmd.load %[[COPY]]
// OFF: return %[[R]]
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<6x5xi32> {
  %copy = spmd.alloc : !spmd.buffer<tensor<6x5xi32>>
  %0 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  spmd.store %0, %copy : !spmd.buffer<tensor<6x5xi32>>
  %1 = stablehlo.add %0, %0 : tensor<6x5xi32>
  spmd.store %1, %b : !spmd.buffer<tensor<6x5xi32>>
  %2 = spmd.load %copy : !spmd.buffer<tensor<6x5xi32>>
  return %2 : tensor<6x5xi32>
}

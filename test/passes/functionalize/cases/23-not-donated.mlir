// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// An argument that nobody may take over, a constant say, is written in a copy, which the program returns.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[B:[^:]*]]: tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// CHECK-SAME: -> (tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// CHECK-NEXT: %[[N:.*]] = stablehlo.add %[[B]], %[[B]]
// CHECK-NEXT: %[[C:.*]] = sdy.sharding_constraint %[[N]] <@mesh, [{"x"}, {}]>
// CHECK-NEXT: return %[[C]]
// OFF-LABEL: func @main
// OFF-SAME: (%[[B:[^:]*]]: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// OFF: %[[COPY:.*]] = spmd.alloc {sdy.sharding = {{.*}}}
// OFF: spmd.store %{{.*}}, %[[COPY]]
// OFF: stablehlo.add
// OFF: spmd.store %{{.*}}, %[[COPY]]
// OFF: %[[L:.*]] = spmd.load %[[COPY]]
// OFF: return %[[L]]
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.not_donated}) {
  %0 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %1 = stablehlo.add %0, %0 : tensor<6x5xi32>
  spmd.store %1, %b : !spmd.buffer<tensor<6x5xi32>>
  return
}

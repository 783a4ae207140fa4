// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// What is stored and overwritten before anybody looks is dropped, and so is a buffer that nobody reads; what an
// argument holds at the end is seen.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-NOT: stablehlo.constant
// CHECK: %[[C:.*]] = sdy.sharding_constraint %{{.*}} <@mesh, [{"x"}]>
// CHECK-NEXT: return %[[C]]
// OFF-LABEL: func @main
// OFF-NOT: spmd.alloc
// OFF: spmd.store
// OFF-NOT: spmd.store
func.func @main(%b: !spmd.buffer<tensor<7xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %t: tensor<7xi32>, %u: tensor<7xi32>) {
  spmd.store %t, %b : !spmd.buffer<tensor<7xi32>>
  %scratch = spmd.alloc : !spmd.buffer<tensor<7xi32>>
  spmd.store %t, %scratch : !spmd.buffer<tensor<7xi32>>
  spmd.store %u, %b : !spmd.buffer<tensor<7xi32>>
  return
}

// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// What is stored into a pinned buffer is pinned like it, whole included; what is stored into another one is free.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"x"}, {}]>
// CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{}, {}]>
// CHECK-NOT: sdy.sharding_constraint
// CHECK: return
// OFF-LABEL: func @main
// OFF-SAME: sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>
// OFF-SAME: sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>
func.func @main(%rows: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %whole: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, %free: !spmd.buffer<tensor<6x5xi32>>, %t: tensor<6x5xi32>) {
  spmd.store %t, %rows : !spmd.buffer<tensor<6x5xi32>>
  spmd.store %t, %whole : !spmd.buffer<tensor<6x5xi32>>
  spmd.store %t, %free : !spmd.buffer<tensor<6x5xi32>>
  return
}

// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=PLAN %{only-collectives-checked}
// A store to a slice of the sharded dim is done by who owns the elements, under a mask, and moves nothing.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// PLAN-LABEL: func.func @main
// PLAN: return
// CHECK-LABEL: func @main
// CHECK: stablehlo.dynamic_update_slice
// OFF-LABEL: func @main
// OFF: spmd.store
func.func @main(%b: !spmd.buffer<tensor<8x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %t: tensor<3x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %v = spmd.slice_view %b [1:4, 0:5] : (!spmd.buffer<tensor<8x5xi32>>) -> !spmd.buffer<tensor<3x5xi32>>
  spmd.store %t, %v : !spmd.buffer<tensor<3x5xi32>>
  return
}

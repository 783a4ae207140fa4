// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: spmd-opt %s --spmd-pipeline -o %t.out 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false -o %t.out 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: %{both-modes}
// An update that lies otherwise, here a sum that is split over the contracted dim, is brought to the buffer's sharding,
// with a warning; the buffer keeps its own.
// WARN: warning: what updates in place comes as [{}, {}], unreduced={"x"}, shares of a sum, and is added up, as what it updates lies as [{"x"}, {}]
// WARN: {{.*}}:23:8: note: it is made here
// WARN-NOT: warning

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK: stablehlo.dot_general
// CHECK: %[[NEW:.*]] = stablehlo.add
// CHECK: sdy.sharding_constraint %[[NEW]] <@mesh, [{"x"}, {}]>
// OFF-LABEL: func @main
// OFF: spmd.store
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %l: tensor<6x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %r: tensor<4x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %1 = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<6x4xi32>, tensor<4x5xi32>) -> tensor<6x5xi32>
  %2 = stablehlo.add %0, %1 : tensor<6x5xi32>
  spmd.store %2, %b : !spmd.buffer<tensor<6x5xi32>>
  return
}

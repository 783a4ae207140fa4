// RUN: spmd-opt %s --spmd-pipeline -o %t.out 2>&1 | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false -o %t.out 2>&1 | FileCheck %s
// RUN: %{both-modes}
// An op in place that runs along the dim that splits the buffer: what the buffer holds is moved, and comes back to its
// sharding, with a warning.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK: warning: what is updated in place lies as [{"x"}, {}], and moves to [{}, {{.*}}] and back, as the op that updates it wants it
// CHECK: note: the op is here
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %1 = "stablehlo.sort"(%0) ({
  ^bb0(%l: tensor<i32>, %r: tensor<i32>):
    %2 = stablehlo.compare LT, %l, %r : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) {dimension = 0 : i64} : (tensor<6x5xi32>) -> tensor<6x5xi32>
  spmd.store %1, %b : !spmd.buffer<tensor<6x5xi32>>
  return
}

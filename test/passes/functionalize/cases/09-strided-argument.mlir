// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// An argument that is every second column of a larger one: a write reaches the larger one.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[B:[^:]*]]: tensor<6x5xi32> {{.*}}tf.aliasing_output = 0 : i32}, %[[PART:[^:]*]]: tensor<6x2xi32>)
// CHECK: stablehlo.slice %[[B]] [0:6, 1:5:2]
// CHECK: %[[NEW:.*]] = stablehlo.select
// CHECK: return
// OFF-LABEL: func @main
// OFF: stablehlo.slice %{{.*}} [0:6, 1:5:2]
// OFF: stablehlo.select
// OFF: spmd.store
func.func @main(
    %base: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, spmd.memory = {name = "m",
        shape = array<i64: 6, 5>, start_indices = array<i64: 0, 0>, limit_indices = array<i64: 6, 5>,
        strides = array<i64: 1, 1>}},
    %part: !spmd.buffer<tensor<6x2xi32>> {spmd.memory = {name = "m", shape = array<i64: 6, 5>, start_indices = array<i64: 0, 1>,
        limit_indices = array<i64: 6, 5>, strides = array<i64: 1, 2>}}) {
  %0 = spmd.load %part : !spmd.buffer<tensor<6x2xi32>>
  %1 = stablehlo.add %0, %0 : tensor<6x2xi32>
  spmd.store %1, %part : !spmd.buffer<tensor<6x2xi32>>
  return
}

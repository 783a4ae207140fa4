// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// An op of the user writes a view of an argument: it gets what the view shows and gives it back; all else of the
// argument stays where it is.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func private @scale
// CHECK: stablehlo.multiply
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[B:[^:]*]]: tensor<6x5xi32> {{.*}}tf.aliasing_output = 0 : i32}
// CHECK: %[[S:.*]] = stablehlo.slice %[[B]] [0:6, 1:4]
// CHECK: %[[W:.*]] = call @scale(%[[S]])
// CHECK: stablehlo.dynamic_update_slice %[[B]], %[[W]]
// OFF-LABEL: func @main
// OFF: %[[S:.*]] = stablehlo.slice
// OFF: spmd.store %[[S]], %[[LENT:.*]] :
// OFF: %[[GIVEN:.*]] = spmd.load %[[LENT]]
// OFF: %[[LEFT:.*]] = call @scale(%[[GIVEN]])
// OFF: spmd.store %[[LEFT]], %[[LENT]]
// OFF: %[[W:.*]] = spmd.load %[[LENT]]
// OFF: stablehlo.dynamic_update_slice %{{.*}}, %[[W]]
func.func private @scale(%v: !spmd.buffer<tensor<6x3xi32>>) {
  %0 = spmd.load %v : !spmd.buffer<tensor<6x3xi32>>
  %1 = stablehlo.multiply %0, %0 : tensor<6x3xi32>
  spmd.store %1, %v : !spmd.buffer<tensor<6x3xi32>>
  return
}
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %v = spmd.slice_view %b [0:6, 1:4] : (!spmd.buffer<tensor<6x5xi32>>) -> !spmd.buffer<tensor<6x3xi32>>
  func.call @scale(%v) : (!spmd.buffer<tensor<6x3xi32>>) -> ()
  return
}

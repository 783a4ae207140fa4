// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// An argument that is written and also returned is one result that takes over its memory, and no second copy.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-SAME: tf.aliasing_output = 0 : i32
// CHECK-SAME: -> tensor<6x5xi32>
// CHECK: %[[NEW:.*]] = stablehlo.add
// CHECK: return %{{.*}} : tensor<6x5xi32>
// OFF-LABEL: func @main
// OFF-SAME: tf.aliasing_output = 0 : i32
// OFF-SAME: -> tensor<6x5xi32>
// OFF-NOT: spmd.alloc
// OFF: return
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, tf.aliasing_output = 0 : i32})
    -> tensor<6x5xi32> {
  %0 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %1 = stablehlo.add %0, %0 : tensor<6x5xi32>
  spmd.store %1, %b : !spmd.buffer<tensor<6x5xi32>>
  %2 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  return %2 : tensor<6x5xi32>
}

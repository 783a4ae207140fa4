// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// A program without buffers is as it was, its donations included.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[B:[^:]*]]: tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32}) -> tensor<6x5xi32>
// CHECK-NEXT: %[[N:.*]] = stablehlo.add %[[B]], %[[B]]
// CHECK-NEXT: return %[[N]]
// OFF-LABEL: func @main
// OFF-NEXT: stablehlo.add
// OFF-NEXT: return
func.func @main(%b: tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32})
    -> tensor<6x5xi32> {
  %0 = stablehlo.add %b, %b : tensor<6x5xi32>
  return %0 : tensor<6x5xi32>
}

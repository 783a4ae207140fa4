// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// A view made before its base is written shows what is written.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK: %[[NEW:.*]] = sdy.sharding_constraint
// CHECK: %[[V:.*]] = stablehlo.transpose %[[NEW]], dims = [1, 0]
// CHECK: return %[[V]], %[[NEW]]
// OFF-LABEL: func @main
// OFF: spmd.store %[[NEW:.*]], %[[B:.*]] :
// OFF: %[[L:.*]] = spmd.load %[[B]]
// OFF: stablehlo.transpose %[[L]], dims = [1, 0]
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<5x6xi32> {
  %v = spmd.transpose_view %b, dims = [1, 0] : (!spmd.buffer<tensor<6x5xi32>>) -> !spmd.buffer<tensor<5x6xi32>>
  %0 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %1 = stablehlo.add %0, %0 : tensor<6x5xi32>
  spmd.store %1, %b : !spmd.buffer<tensor<6x5xi32>>
  %2 = spmd.load %v : !spmd.buffer<tensor<5x6xi32>>
  return %2 : tensor<5x6xi32>
}

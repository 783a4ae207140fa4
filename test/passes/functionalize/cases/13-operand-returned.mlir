// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// A branch returns an operand as it is, which the other branch writes.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[B:[^:]*]]: tensor<6xi32>
// CHECK: %[[R:.*]]:2 = "stablehlo.case"
// CHECK: stablehlo.return %[[B]], %{{.*}} : tensor<6xi32>, tensor<6xi32>
// CHECK: stablehlo.return %[[B]], %[[B]] : tensor<6xi32>, tensor<6xi32>
// OFF-LABEL: func @main
// OFF: %[[R:.*]]:2 = "stablehlo.case"
// OFF: spmd.store %[[R]]#1
func.func @main(%b: !spmd.buffer<tensor<6xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %n: tensor<i32>) -> tensor<6xi32> {
  %old = spmd.load %b : !spmd.buffer<tensor<6xi32>>
  %0 = "stablehlo.case"(%n) ({
    %1 = stablehlo.add %old, %old : tensor<6xi32>
    spmd.store %1, %b : !spmd.buffer<tensor<6xi32>>
    stablehlo.return %old : tensor<6xi32>
  }, {
    %1 = spmd.load %b : !spmd.buffer<tensor<6xi32>>
    stablehlo.return %1 : tensor<6xi32>
  }) : (tensor<i32>) -> tensor<6xi32>
  return %0 : tensor<6xi32>
}

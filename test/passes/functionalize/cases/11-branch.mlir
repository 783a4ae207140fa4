// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// A buffer that one branch writes is a result of both; that of the other branch is what it held.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[B:[^:]*]]: tensor<6x5xi32>
// CHECK: %[[NEW:.*]] = "stablehlo.if"
// CHECK-NEXT: stablehlo.add %[[B]], %[[B]]
// CHECK: stablehlo.return %{{.*}} : tensor<6x5xi32>
// CHECK: {{^ +}}}, {{{$}}
// CHECK: stablehlo.return %[[B]] : tensor<6x5xi32>
// CHECK: return
// OFF-LABEL: func @main
// OFF: %[[OLD:.*]] = spmd.load %[[B:.*]] :
// OFF: %[[NEW:.*]] = "stablehlo.if"
// OFF: {{^ +}}}, {{{$}}
// OFF-NEXT: stablehlo.return %[[OLD]]
// OFF: spmd.store %[[NEW]], %[[B]]
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %p: tensor<i1>) {
  "stablehlo.if"(%p) ({
    %0 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
    %1 = stablehlo.add %0, %0 : tensor<6x5xi32>
    spmd.store %1, %b : !spmd.buffer<tensor<6x5xi32>>
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}

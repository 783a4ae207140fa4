// RUN: spmd-opt --spmd-functionalize %s | FileCheck %s
// RUN: spmd-opt --spmd-functionalize --spmd-propagate %s | FileCheck %s --check-prefix=LIES

// What a buffer holds is one thing to all who read it, also a constant: a sharding group says so.
// Else each of its uses would have a constant of its own.

sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @one_content(
// CHECK: %[[C:.+]] = stablehlo.constant dense<2>
// CHECK: sdy.sharding_group %[[C]] group_id=0
// LIES-LABEL: func.func @one_content(
// LIES-COUNT-2: stablehlo.add {{.*}}[{"x", ?}, {?}]
func.func @one_content(%a: tensor<6x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<6x4xi32>) -> (tensor<6x4xi32>, tensor<6x4xi32>) {
  %buffer = spmd.alloc : !spmd.buffer<tensor<6x4xi32>>
  %c = stablehlo.constant dense<2> : tensor<6x4xi32>
  spmd.store %c, %buffer : !spmd.buffer<tensor<6x4xi32>>
  %0 = spmd.load %buffer : !spmd.buffer<tensor<6x4xi32>>
  %1 = stablehlo.add %0, %a : tensor<6x4xi32>
  %2 = spmd.load %buffer : !spmd.buffer<tensor<6x4xi32>>
  %3 = stablehlo.add %2, %b : tensor<6x4xi32>
  return %1, %3 : tensor<6x4xi32>, tensor<6x4xi32>
}

// What is no constant is one value anyway.
// CHECK-LABEL: func.func @one_value(
// CHECK-NOT: sdy.sharding_group
func.func @one_value(%a: tensor<6x4xi32>) -> tensor<6x4xi32> {
  %buffer = spmd.alloc : !spmd.buffer<tensor<6x4xi32>>
  spmd.store %a, %buffer : !spmd.buffer<tensor<6x4xi32>>
  %0 = spmd.load %buffer : !spmd.buffer<tensor<6x4xi32>>
  return %0 : tensor<6x4xi32>
}

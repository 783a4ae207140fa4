// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// A buffer that the body of a loop writes, here through a view made outside, is carried. That a tensor read from it is
// carried, too, and another buffer only read, changes nothing.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[B:[^:]*]]: tensor<6x5xi32> {{.*}}, %[[C:[^:]*]]: tensor<5xi32>)
// CHECK: %[[R:.*]]:3 = stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}, %[[CARRY:.*]] = %[[B]])
// CHECK: %[[HELD:.*]] = sdy.sharding_constraint %[[CARRY]]
// CHECK: %[[FLIPPED:.*]] = stablehlo.transpose %[[HELD]]
// CHECK: stablehlo.dynamic_slice %[[FLIPPED]]
// CHECK: stablehlo.dynamic_update_slice
// CHECK: %[[NEW:.*]] = sdy.sharding_constraint %[[R]]#2
// CHECK: return %[[R]]#1, %[[NEW]]
// OFF-LABEL: func @main
// OFF: %[[OLD:.*]] = spmd.load %[[B:.*]] :
// OFF: %[[R:.*]]:3 = stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %[[OLD]], %[[CARRY:.*]] = %[[OLD]])
// OFF: spmd.store %[[R]]#2, %[[B]]
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %c: !spmd.buffer<tensor<5xi32>>) -> tensor<6x5xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %six = stablehlo.constant dense<6> : tensor<i32>
  %first = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %flipped = spmd.transpose_view %b, dims = [1, 0] : (!spmd.buffer<tensor<6x5xi32>>) -> !spmd.buffer<tensor<5x6xi32>>
  %0:2 = stablehlo.while(%i = %zero, %t = %first) : tensor<i32>, tensor<6x5xi32>
   cond {
    %1 = stablehlo.compare LT, %i, %six : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %column = spmd.dynamic_slice_view %flipped, %zero, %i, sizes = [5, 1]
        : (!spmd.buffer<tensor<5x6xi32>>, tensor<i32>, tensor<i32>) -> !spmd.buffer<tensor<5x1xi32>>
    %row = spmd.reshape_view %column : (!spmd.buffer<tensor<5x1xi32>>) -> !spmd.buffer<tensor<5xi32>>
    %1 = spmd.load %row : !spmd.buffer<tensor<5xi32>>
    %2 = spmd.load %c : !spmd.buffer<tensor<5xi32>>
    %3 = stablehlo.add %1, %2 : tensor<5xi32>
    spmd.store %3, %row : !spmd.buffer<tensor<5xi32>>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %4, %t : tensor<i32>, tensor<6x5xi32>
  }
  return %0#1 : tensor<6x5xi32>
}

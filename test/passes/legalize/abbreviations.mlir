// RUN: spmd-opt %s --spmd-legalize-chlo=keep-functions=true | FileCheck %s

// Functions stay; what abbreviates other ops goes.

// CHECK-LABEL: func @functions_stay
func.func @functions_stay(%x: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK-NEXT: chlo.erf
  // CHECK-NEXT: chlo.top_k
  %0 = chlo.erf %x : tensor<4x3xf32> -> tensor<4x3xf32>
  %1:2 = chlo.top_k(%0, k = 3) : tensor<4x3xf32> -> (tensor<4x3xf32>, tensor<4x3xi32>)
  return %1#0 : tensor<4x3xf32>
}

// CHECK-LABEL: func @broadcast
// CHECK-SAME: (%[[ROW:.*]]: tensor<3xf32>, %[[COLUMN:.*]]: tensor<4x1xf32>, %[[FULL:.*]]: tensor<4x3xf32>)
func.func @broadcast(%row: tensor<3xf32>, %column: tensor<4x1xf32>, %full: tensor<4x3xf32>) -> tensor<4x3xi1> {
  // CHECK-NEXT: %[[R:.*]] = stablehlo.broadcast_in_dim %[[ROW]], dims = [1] : (tensor<3xf32>) -> tensor<4x3xf32>
  // CHECK-NEXT: %[[C:.*]] = stablehlo.broadcast_in_dim %[[COLUMN]], dims = [0, 1] : (tensor<4x1xf32>) -> tensor<4x3xf32>
  // CHECK-NEXT: %[[P:.*]] = stablehlo.power %[[R]], %[[C]] : tensor<4x3xf32>
  %0 = chlo.broadcast_power %row, %column : (tensor<3xf32>, tensor<4x1xf32>) -> tensor<4x3xf32>
  // CHECK-NEXT: %[[Z:.*]] = chlo.zeta %[[P]], %[[FULL]] : tensor<4x3xf32>, tensor<4x3xf32> -> tensor<4x3xf32>
  %1 = chlo.broadcast_zeta %0, %full : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  // CHECK-NEXT: stablehlo.compare LT, %[[Z]], %[[FULL]], TOTALORDER
  %2 = chlo.broadcast_compare %1, %full {comparison_direction = #chlo<comparison_direction LT>, compare_type = #chlo<comparison_type TOTALORDER>}
      : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<4x3xi1>
  return %2 : tensor<4x3xi1>
}

// CHECK-LABEL: func @given_dims
func.func @given_dims(%a: tensor<4xf32>, %b: tensor<4x3xf32>) -> tensor<4x3xf32> {
  // CHECK-NEXT: stablehlo.broadcast_in_dim %{{.*}}, dims = [0] : (tensor<4xf32>) -> tensor<4x3xf32>
  %0 = chlo.broadcast_add %a, %b {broadcast_dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}

// CHECK-LABEL: func @constants
func.func @constants(%x: tensor<2x3xf32>) -> (tensor<2xi32>, tensor<2x3xf32>) {
  // CHECK-NEXT: stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %0 = chlo.constant dense<[1, 2]> : tensor<2xi32>
  // CHECK-NEXT: stablehlo.constant dense<2.500000e+00> : tensor<2x3xf32>
  %1 = "chlo.constant_like"(%x) {value = 2.5 : f32} : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return %0, %1 : tensor<2xi32>, tensor<2x3xf32>
}

// A composite is its decomposition.
// CHECK-LABEL: func @composite
func.func @composite(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  // CHECK-NEXT: %[[C:.*]]:2 = call @twice(%arg0) {mark} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  // CHECK-NEXT: return %[[C]]#1, %[[C]]#0
  %0:2 = stablehlo.composite "my.twice" %x {composite_attributes = {}, decomposition = @twice, mark} : (tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>)
  return %0#1, %0#0 : tensor<2xf32>, tensor<2xf32>
}
func.func private @twice(%x: tensor<2xf32>) -> (tensor<2xf32>, tensor<2xf32>) {
  return %x, %x : tensor<2xf32>, tensor<2xf32>
}

// A scan is a loop; from the end, it takes the last slice first.
// CHECK-LABEL: func @scan
// CHECK-SAME: (%[[X:.*]]: tensor<2x3xf32>, %[[C:.*]]: tensor<2xf32>)
func.func @scan(%x: tensor<2x3xf32>, %c: tensor<2xf32>) -> tensor<2x3xf32> {
  // CHECK: %[[LOOP:.*]]:3 = stablehlo.while(%[[I:.*]] = %{{.*}}, %[[CARRY:.*]] = %[[C]], %[[OUT:.*]] = %{{.*}}) : tensor<i32>, tensor<2xf32>, tensor<2x3xf32>
  // CHECK: stablehlo.constant dense<3> : tensor<i32>
  // CHECK-NEXT: stablehlo.compare LT
  // CHECK: do {
  // CHECK: %[[LAST:.*]] = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-NEXT: %[[PLACE:.*]] = stablehlo.subtract %[[LAST]], %[[I]] : tensor<i32>
  // CHECK: stablehlo.dynamic_slice %[[X]], %{{.*}}, %[[PLACE]], sizes = [2, 1]
  // CHECK: %[[SUM:.*]] = stablehlo.add %{{.*}}, %[[CARRY]] : tensor<2xf32>
  // CHECK: %[[NEXT:.*]] = stablehlo.dynamic_update_slice %[[OUT]], %{{.*}}, %{{.*}}, %[[PLACE]]
  // CHECK-NEXT: stablehlo.return %{{.*}}, %[[SUM]], %[[NEXT]]
  // CHECK: return %[[LOOP]]#2
  %0:2 = chlo.scan(%x) inits (%c) dimension=1 attributes {is_reverse = true} {
  ^bb0(%a: tensor<2xf32>, %b: tensor<2xf32>):
    %sum = chlo.broadcast_add %a, %b : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
    stablehlo.return %b, %sum : tensor<2xf32>, tensor<2xf32>
  } : (tensor<2x3xf32>, tensor<2xf32>) -> (tensor<2x3xf32>, tensor<2xf32>)
  return %0#0 : tensor<2x3xf32>
}

// Without steps there is no loop.
// CHECK-LABEL: func @empty_scan
// CHECK-NOT: stablehlo.while
// CHECK: return
func.func @empty_scan(%x: tensor<0x3xf32>, %c: tensor<3xf32>) -> (tensor<0x3xf32>, tensor<3xf32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    stablehlo.return %a, %a : tensor<3xf32>, tensor<3xf32>
  } : (tensor<0x3xf32>, tensor<3xf32>) -> (tensor<0x3xf32>, tensor<3xf32>)
  return %0#0, %0#1 : tensor<0x3xf32>, tensor<3xf32>
}

// The shardings of several results become constraints, where no one op has them all.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func @shardings_of_a_scan
func.func @shardings_of_a_scan(%x: tensor<2x4xf32>, %c: tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>) {
  // CHECK: %[[LOOP:.*]]:3 = stablehlo.while
  // CHECK: %[[A:.*]] = sdy.sharding_constraint %[[LOOP]]#2 <@mesh, [{}, {"x"}]>
  // CHECK: %[[B:.*]] = sdy.sharding_constraint %[[LOOP]]#1 <@mesh, [{"x"}]>
  // CHECK: return %[[A]], %[[B]]
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>, <@mesh, [{"x"}]>]>} {
  ^bb0(%a: tensor<4xf32>, %b: tensor<4xf32>):
    stablehlo.return %a, %a : tensor<4xf32>, tensor<4xf32>
  } : (tensor<2x4xf32>, tensor<4xf32>) -> (tensor<2x4xf32>, tensor<4xf32>)
  return %0#0, %0#1 : tensor<2x4xf32>, tensor<4xf32>
}

// RUN: spmd-opt %s --spmd-propagate 2>/dev/null | FileCheck %s

// A constant stays one on its way through calls and loops: it lies wherever it is needed.
sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func.func @passed
// CHECK: call @from_table(
// CHECK-NOT: spmd.missing_sharding
// CHECK: return
func.func @passed(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16x8xf32>, tensor<6xf32>) {
  %table = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %0 = call @from_table(%table, %a) : (tensor<6xf32>, tensor<16x8xf32>) -> tensor<16x8xf32>
  %1 = call @doubled(%table) : (tensor<6xf32>) -> tensor<6xf32>
  %2 = call @doubled(%1) : (tensor<6xf32>) -> tensor<6xf32>
  return %0, %2 : tensor<16x8xf32>, tensor<6xf32>
}

// CHECK-LABEL: func.func private @from_table
// CHECK-NOT: spmd.missing_sharding
// CHECK: return
func.func private @from_table(%table: tensor<6xf32>, %a: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %0 = stablehlo.slice %table [3:4] : (tensor<6xf32>) -> tensor<1xf32>
  %1 = stablehlo.reshape %0 : (tensor<1xf32>) -> tensor<f32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
  %3 = stablehlo.multiply %a, %2 : tensor<16x8xf32>
  return %3 : tensor<16x8xf32>
}

// CHECK-LABEL: func.func private @doubled
// CHECK-NOT: spmd.missing_sharding
// CHECK: return
func.func private @doubled(%c: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.add %c, %c : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// One call passes something else: neither is a constant then, and no clone is made to tell them apart.
// CHECK-LABEL: func.func @not_always
// CHECK: call @square(%cst
// CHECK: call @square(%arg0)
func.func @not_always(%a: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %table = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %0 = call @square(%table) : (tensor<6xf32>) -> tensor<6xf32>
  %1 = call @square(%a) : (tensor<6xf32>) -> tensor<6xf32>
  return %0, %1 : tensor<6xf32>, tensor<6xf32>
}

// CHECK-LABEL: func.func private @square(
// CHECK-SAME: spmd.missing_sharding
// CHECK: stablehlo.multiply {{.*}}spmd.missing_sharding
func.func private @square(%c: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.multiply %c, %c : tensor<6xf32>
  return %0 : tensor<6xf32>
}

// The rows that a loop takes from a table, as of a scan; the carry that each turn computes is none.
// CHECK-LABEL: func.func @carried
// CHECK: stablehlo.while{{.*}}spmd.missing_sharding = array<i64: 3>
func.func @carried(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<16x8xf32>, tensor<6xf32>) {
  %table = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %turns = stablehlo.constant dense<6> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zeros = stablehlo.constant dense<0.0> : tensor<6xf32>
  %0:4 = stablehlo.while(%rows = %table, %i = %first, %x = %a, %sum = %zeros) : tensor<6xf32>, tensor<i32>, tensor<16x8xf32>, tensor<6xf32>
  cond {
    %less = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %row = stablehlo.dynamic_slice %rows, %i, sizes = [1] : (tensor<6xf32>, tensor<i32>) -> tensor<1xf32>
    %scalar = stablehlo.reshape %row : (tensor<1xf32>) -> tensor<f32>
    %factors = stablehlo.broadcast_in_dim %scalar, dims = [] : (tensor<f32>) -> tensor<16x8xf32>
    %next = stablehlo.multiply %x, %factors : tensor<16x8xf32>
    %more = stablehlo.add %sum, %rows : tensor<6xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %rows, %j, %next, %more : tensor<6xf32>, tensor<i32>, tensor<16x8xf32>, tensor<6xf32>
  }
  return %0#2, %0#3 : tensor<16x8xf32>, tensor<6xf32>
}

// In a sharding group with what is none it lies as that does.
// CHECK-LABEL: func.func @grouped
// CHECK-COUNT-2: stablehlo.optimization_barrier {spmd.missing_sharding}
func.func @grouped(%a: tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi32>) {
  %table = stablehlo.constant dense<[1, 2, 3, 4, 5, 6]> : tensor<6xi32>
  %0 = stablehlo.optimization_barrier %a : tensor<6xi32>
  %1 = stablehlo.optimization_barrier %table : tensor<6xi32>
  sdy.sharding_group %0 group_id=1 : tensor<6xi32>
  sdy.sharding_group %1 group_id=1 : tensor<6xi32>
  return %0, %1 : tensor<6xi32>, tensor<6xi32>
}

// One that a loop swaps for something else: what comes in is not all that it is.
// CHECK-LABEL: func.func @swapped
// CHECK: stablehlo.while{{.*}}spmd.missing_sharding = array<i64: 1, 2>
func.func @swapped(%a: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %table = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %turns = stablehlo.constant dense<6> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %first, %x = %table, %y = %a) : tensor<i32>, tensor<6xf32>, tensor<6xf32>
  cond {
    %less = stablehlo.compare LT, %i, %turns : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %y, %x : tensor<i32>, tensor<6xf32>, tensor<6xf32>
  }
  return %0#1, %0#2 : tensor<6xf32>, tensor<6xf32>
}

// To annotate what a call returns as open in all dims says nothing new.
// CHECK-LABEL: func.func @pinned_open
// CHECK: call @doubled(
// CHECK-NOT: spmd.missing_sharding
// CHECK: return
func.func @pinned_open() -> tensor<6xf32> {
  %table = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]> : tensor<6xf32>
  %0 = call @doubled(%table) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>} : (tensor<6xf32>) -> tensor<6xf32>
  %1 = stablehlo.negate %0 : tensor<6xf32>
  return %1 : tensor<6xf32>
}

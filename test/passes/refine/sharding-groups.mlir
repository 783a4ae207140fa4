// RUN: spmd-opt %s --spmd-refine-shapes=sizes=8,6 | FileCheck %s

// A group of one function ties what is in one call: each version has its own. One of several functions stays one.
// CHECK-LABEL: func.func @main
// CHECK: sharding_group %arg0 group_id=3
// CHECK: call @f(
// CHECK: call @f_0(
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>) {
  sdy.sharding_group %a group_id=3 : tensor<?xf32>
  %0 = call @f(%a) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = call @f(%b) : (tensor<?xf32>) -> tensor<?xf32>
  return %0, %1 : tensor<?xf32>, tensor<?xf32>
}
// CHECK: func.func private @f(%arg0: tensor<8xf32>)
// CHECK: sharding_group %arg0 group_id=5
// CHECK: sharding_group %0 group_id=5
// CHECK: sharding_group %0 group_id=3
// CHECK: func.func private @f_0(%arg0: tensor<6xf32>)
// CHECK: sharding_group %arg0 group_id=0
// CHECK: sharding_group %0 group_id=0
// CHECK: sharding_group %0 group_id=3
func.func private @f(%a: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.tanh %a : tensor<?xf32>
  sdy.sharding_group %a group_id=5 : tensor<?xf32>
  sdy.sharding_group %0 group_id=5 : tensor<?xf32>
  sdy.sharding_group %0 group_id=3 : tensor<?xf32>
  return %0 : tensor<?xf32>
}

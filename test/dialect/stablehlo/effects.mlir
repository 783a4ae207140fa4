// RUN: spmd-opt %s --cse | FileCheck %s

// CHECK-LABEL: func @equal_ops_are_merged
func.func @equal_ops_are_merged(%x: tensor<2x3xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  // CHECK: %[[T:.*]] = stablehlo.transpose
  // CHECK-NEXT: return %[[T]], %[[T]]
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %0, %1 : tensor<3x2xf32>, tensor<3x2xf32>
}

// CHECK-LABEL: func @equal_collectives_are_merged
func.func @equal_collectives_are_merged(%x: tensor<2x3xf32>) -> (tensor<4x3xf32>, tensor<4x3xf32>) {
  // CHECK: %[[G:.*]] = "stablehlo.all_gather"
  // CHECK-NEXT: return %[[G]], %[[G]]
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<4x3xf32>
  %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2x3xf32>) -> tensor<4x3xf32>
  return %0, %1 : tensor<4x3xf32>, tensor<4x3xf32>
}

// CHECK-LABEL: func @side_effects_stay
func.func @side_effects_stay(%x: tensor<2x3xf32>) {
  // CHECK: stablehlo.custom_call @print
  // CHECK-NOT: stablehlo.custom_call @pure
  // CHECK: return
  stablehlo.custom_call @print(%x) {has_side_effect = true} : (tensor<2x3xf32>) -> ()
  %0 = stablehlo.custom_call @pure(%x) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

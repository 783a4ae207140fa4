// RUN: spmd-opt %s --spmd-propagate 2>/dev/null | FileCheck %s

// What goes into a loop matters if any result of the loop does.
sdy.mesh @mesh = <["x"=2]>

// Nobody uses what comes out: how the carry lies matters to no one, though each turn reads it.
// CHECK-LABEL: func.func @no_result_is_used
func.func @no_result_is_used(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %m = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<6xf32>
  // CHECK: stablehlo.while
  // CHECK-NOT: spmd.missing_sharding
  // CHECK: return
  %0:2 = stablehlo.while(%i = %s, %carry = %m) : tensor<f32>, tensor<6xf32>
  cond {
    %less = stablehlo.compare LT, %i, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.tanh %carry : tensor<6xf32>
    stablehlo.return %i, %next : tensor<f32>, tensor<6xf32>
  }
  return %a : tensor<4xf32>
}

// The other result is used.
// CHECK-LABEL: func.func @one_result_is_used
func.func @one_result_is_used(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %m: tensor<6xf32>) -> tensor<f32> {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.while({{.*}}spmd.missing_sharding = array<i64: 1>
  // CHECK-NOT: spmd.missing_sharding
  // CHECK: return
  %0:2 = stablehlo.while(%i = %s, %carry = %m) : tensor<f32>, tensor<6xf32>
  cond {
    %less = stablehlo.compare LT, %i, %c : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %unused = stablehlo.tanh %carry : tensor<6xf32>
    stablehlo.return %i, %carry : tensor<f32>, tensor<6xf32>
  }
  return %0#0 : tensor<f32>
}

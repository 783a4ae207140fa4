// What a custom call names computes with single elements, and need not return as functions do: the stages leave it alone.
// RUN: spmd-opt %s --spmd-propagate 2>/dev/null | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate=on-missing=replicate 2>/dev/null | spmd-opt --spmd-reshard --spmd-verify-resharded --spmd-partition | FileCheck %s --check-prefix=LOCAL
// RUN: spmd-opt %s --spmd-propagate -o /dev/null 2>&1 | FileCheck %s --check-prefix=FLAG

sdy.mesh @mesh = <["x"=3]>

// CHECK: func.func @greater(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {
// CHECK-NEXT: stablehlo.compare GT, %arg0, %arg1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
// CHECK-NEXT: stablehlo.return
// LOCAL: func.func @greater(%arg0: tensor<f32>, %arg1: tensor<f32>, %arg2: tensor<i32>, %arg3: tensor<i32>) -> tensor<i1> {
func.func @greater(%a: tensor<f32>, %b: tensor<f32>, %i: tensor<i32>, %j: tensor<i32>) -> tensor<i1> {
  %0 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
  stablehlo.return %0 : tensor<i1>
}

// FLAG: note: 'stablehlo.custom_call' stands for other ops, so nothing passes through it; run --spmd-legalize-chlo first
// CHECK: func.func @main
// CHECK: stablehlo.tanh {{.*}}[{"x", ?}, {?}]
// LOCAL: stablehlo.tanh {{.*}}tensor<3x11xf32>
func.func @main(%x: tensor<7x11xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<7x3xf32>, tensor<7x3xi32>) {
  %0 = stablehlo.tanh %x : tensor<7x11xf32>
  %1 = stablehlo.iota dim = 1 : tensor<7x11xi32>
  %c = stablehlo.constant dense<-1> : tensor<i32>
  %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %2:2 = stablehlo.custom_call @ApproxTopK(%0, %1, %cst, %c) {called_computations = [@greater], mhlo.backend_config = {is_fallback = true, recall_target = 0.9 : f32, reduction_dim = 1 : i64, reduction_input_size_override = -1 : i64, top_k = 3 : i64}} : (tensor<7x11xf32>, tensor<7x11xi32>, tensor<f32>, tensor<i32>) -> (tensor<7x3xf32>, tensor<7x3xi32>)
  return %2#0, %2#1 : tensor<7x3xf32>, tensor<7x3xi32>
}

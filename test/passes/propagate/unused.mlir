// RUN: spmd-opt %s --spmd-propagate=on-missing=error | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=on-missing=error | FileCheck %s --check-prefix=DEVICE
// RUN: spmd-opt %s --spmd-explain="value=%mask" | FileCheck %s --check-prefix=EXPLAIN

// Nobody asks how a value lies from which nothing comes that matters, so nothing is reported of it.
sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @main(
// DEVICE-LABEL: func.func @main(
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  // What only goes to an argument that nobody reads: a result of a call, and what it is made of.
  // CHECK: call @make(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>, <@mesh, [{?}]>]>
  %0:2 = call @make(%a) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<6xf32>)
  %1 = call @unread(%0#0, %0#1) : (tensor<4xf32>, tensor<6xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
// CHECK: func.func private @make({{.*}}) -> (tensor<4xf32> {{{.*}}[{"x", ?}]>{{.*}}}, tensor<6xf32> {{{.*}}[{?}]>
func.func private @make(%a: tensor<4xf32>) -> (tensor<4xf32>, tensor<6xf32>) {
  %c = stablehlo.constant dense<0.0> : tensor<f32>
  %s = stablehlo.reduce(%a init: %c) applies stablehlo.add across dimensions = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  %m = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<6xf32>
  %t = stablehlo.tanh %a : tensor<4xf32>
  return %t, %m : tensor<4xf32>, tensor<6xf32>
}
// CHECK: func.func private @unread({{.*}}, %arg1: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>
// EXPLAIN: %mask{{.*}}: [{?}], nobody uses it, so nothing is said of it; every device holds it whole
func.func private @unread(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %mask: tensor<6xf32>) -> tensor<4xf32> {
  // CHECK: stablehlo.tanh %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>
  %unused = stablehlo.tanh %mask : tensor<6xf32>
  return %a : tensor<4xf32>
}

// RUN: spmd-opt %s --spmd-pipeline=bucket-bytes=0 | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline="functionalize=false bucket-bytes=0" | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// Mean, maximum and softmax along a dim that is padded to 32. Each reduction skips the padding, and so does the all-gather
// of another value.

sdy.mesh @mesh = <["data"=1, "tp"=4]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<3x8xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>, spmd.global_type = tensor<3x30xf32>}
// CHECK-SAME: tensor<3x8xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>, spmd.global_type = tensor<3x30xf32>}
// CHECK-SAME: -> (tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>, spmd.global_type = tensor<3xf32>}
// CHECK-SAME: tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>, spmd.global_type = tensor<3xf32>}
// CHECK-SAME: tensor<3x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>, spmd.global_type = tensor<3x30xf32>}
// CHECK-SAME: tensor<3x30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<3x30xf32>})
// CHECK: "stablehlo.all_reduce"
// CHECK: "stablehlo.all_reduce"
// CHECK: "stablehlo.all_reduce"
// CHECK: "stablehlo.all_gather"
func.func @main(%b: !spmd.buffer<tensor<3x30xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>},
                %c: !spmd.buffer<tensor<3x30xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>})
    -> (tensor<3xf32>, tensor<3xf32>, tensor<3x30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>},
        tensor<3x30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %x = spmd.load %b : !spmd.buffer<tensor<3x30xf32>>
  %y = spmd.load %c : !spmd.buffer<tensor<3x30xf32>>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %lowest = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %count = stablehlo.constant dense<30.0> : tensor<3xf32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x30xf32>, tensor<f32>) -> tensor<3xf32>
  %mean = stablehlo.divide %sum, %count : tensor<3xf32>
  %max = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<3x30xf32>, tensor<f32>) -> tensor<3xf32>
  %maxes = stablehlo.broadcast_in_dim %max, dims = [0] : (tensor<3xf32>) -> tensor<3x30xf32>
  %shifted = stablehlo.subtract %x, %maxes : tensor<3x30xf32>
  %e = stablehlo.exponential %shifted : tensor<3x30xf32>
  %total = stablehlo.reduce(%e init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<3x30xf32>, tensor<f32>) -> tensor<3xf32>
  %totals = stablehlo.broadcast_in_dim %total, dims = [0] : (tensor<3xf32>) -> tensor<3x30xf32>
  %softmax = stablehlo.divide %e, %totals : tensor<3x30xf32>
  return %mean, %max, %softmax, %y : tensor<3xf32>, tensor<3xf32>, tensor<3x30xf32>, tensor<3x30xf32>
}

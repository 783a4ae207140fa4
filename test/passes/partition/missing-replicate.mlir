// RUN: spmd-opt %s --spmd-partition=on-missing=replicate --verify-diagnostics | FileCheck %s

// Without a sharding a value is whole on every device, at every border too.
sdy.mesh @mesh = <["x"=2]>
// CHECK: func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, spmd.global_type = tensor<4xf32>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, spmd.global_type = tensor<4xf32>})
// expected-warning @below {{argument 0 of @main has no sharding; every device holds it whole; annotate it to split it}}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-warning @below {{'stablehlo.negate' op result 0 has no sharding; every device holds it whole; annotate it to split it}}
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RUN: sed 's/SIZE/4/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/SIZE/2/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/SIZE/3/' %s | spmd-run - | FileCheck %s

// The first rows of a tensor may be the same local value as all of them, of one row on each device, and yet end elsewhere:
// each sum leaves out the rows behind its own end.
// CHECK: equal: yes
sdy.mesh @mesh = <["x"=SIZE]>
func.func @main(%a: tensor<3x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %first = stablehlo.slice %a [0:1, 0:2] : (tensor<3x2xi32>) -> tensor<1x2xi32>
  %two = stablehlo.slice %a [0:2, 0:2] : (tensor<3x2xi32>) -> tensor<2x2xi32>
  %sum = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<3x2xi32>, tensor<i32>) -> tensor<2xi32>
  %sum_of_first = stablehlo.unary_einsum %first, config = "ab->b" : (tensor<1x2xi32>) -> tensor<2xi32>
  %sum_of_two = stablehlo.reduce(%two init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x2xi32>, tensor<i32>) -> tensor<2xi32>
  %product = stablehlo.dot_general %two, %two, contracting_dims = [0] x [0] : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %row = stablehlo.slice %product [0:1, 0:2] : (tensor<2x2xi32>) -> tensor<1x2xi32>
  %flat = stablehlo.reshape %row : (tensor<1x2xi32>) -> tensor<2xi32>
  return %sum, %sum_of_first, %sum_of_two, %flat : tensor<2xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>
}

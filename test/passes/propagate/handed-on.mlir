// RUN: spmd-opt %s --spmd-propagate | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=2]>

// What a loop hands on as it came is moved once, to the loop, if it lies otherwise there. That takes more than to move the
// vector in the one turn that is known of: the matrix stays.
// CHECK-LABEL: func.func @until_small(
// CHECK: stablehlo.while{{.*}} attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>, <@mesh, [{"x", ?}]
func.func @until_small(%m: tensor<40x40xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                       %v: tensor<40xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<40xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %size = stablehlo.dot_general %v, %v, contracting_dims = [0] x [0] : (tensor<40xf32>, tensor<40xf32>) -> tensor<f32>
  %0:3 = stablehlo.while(%a = %m, %b = %v, %s = %size) : tensor<40x40xf32>, tensor<40xf32>, tensor<f32>
  cond {
    %1 = stablehlo.compare GT, %s, %zero : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<40x40xf32>, tensor<40xf32>) -> tensor<40xf32>
    %2 = stablehlo.subtract %b, %1 : tensor<40xf32>
    %3 = stablehlo.dot_general %2, %2, contracting_dims = [0] x [0] : (tensor<40xf32>, tensor<40xf32>) -> tensor<f32>
    stablehlo.return %a, %2, %3 : tensor<40x40xf32>, tensor<40xf32>, tensor<f32>
  }
  return %0#1 : tensor<40xf32>
}

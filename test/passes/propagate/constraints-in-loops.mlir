// RUN: spmd-opt %s --spmd-propagate | FileCheck %s

// What one op alone reads behind a constraint is decided with it. What a loop hands on is read by the next turn: the way from
// reader to reader ends there.
sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func public @main
// CHECK: stablehlo.while
// CHECK: %[[A:.*]] = sdy.sharding_constraint %{{.*}} <@mesh, [{"x", "y", ?}p2]>
// CHECK: sdy.sharding_constraint %[[A]] <@mesh, [{"y"}], unreduced={"x"}>
func.func public @main(%n: tensor<i32>, %goes_on: tensor<i1>) -> tensor<2xi32> {
  %x = stablehlo.constant dense<0> : tensor<2x2xi32>
  %y = stablehlo.constant dense<0> : tensor<2x2xi32>
  %0:2 = stablehlo.reduce(%x init: %n), (%y init: %n) across dimensions = [1] : (tensor<2x2xi32>, tensor<2x2xi32>, tensor<i32>, tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>)
    reducer(%a: tensor<i32>, %b: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {
    stablehlo.return %b, %j : tensor<i32>, tensor<i32>
  }
  %1:2 = stablehlo.while(%i = %n, %v = %0#1) : tensor<i32>, tensor<2xi32>
  cond {
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %2 = sdy.sharding_constraint %v <@mesh, [{"x", "y", ?}p2]> : tensor<2xi32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{"y"}], unreduced={"x"}> : tensor<2xi32>
    stablehlo.return %n, %3 : tensor<i32>, tensor<2xi32>
  }
  return %0#1 : tensor<2xi32>
}

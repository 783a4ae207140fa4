// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard inline-functions=false hoist=0" | FileCheck %s
// RUN: spmd-run %s --no-functionalize | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

sdy.mesh @mesh = <["x"=4]>

// Nothing may grow, so each device takes a part of every row: of what an inner loop reads in a function that it calls,
// outside of both loops. What lies behind reads what came in.
// CHECK-LABEL: func.func @main(
// CHECK: %[[A:.*]] = sdy.reshard %arg1 <@mesh, [{}, {}, {"x"}]>
// CHECK: stablehlo.while({{.*}} = %[[A]]
// CHECK: stablehlo.while(
// CHECK: call @layer
// CHECK: return %{{.*}}, %arg1
func.func @main(%x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %a: tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %v = %x, %w = %a) : tensor<i32>, tensor<16x8xf32>, tensor<4x6x8xf32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1:3 = stablehlo.while(%j = %zero, %u = %v, %t = %w) : tensor<i32>, tensor<16x8xf32>, tensor<4x6x8xf32>
    cond {
      %p = stablehlo.compare LT, %j, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %2 = func.call @layer(%u, %t, %j) : (tensor<16x8xf32>, tensor<4x6x8xf32>, tensor<i32>) -> tensor<16x8xf32>
      %next = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %next, %2, %t : tensor<i32>, tensor<16x8xf32>, tensor<4x6x8xf32>
    }
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %1#1, %w : tensor<i32>, tensor<16x8xf32>, tensor<4x6x8xf32>
  }
  return %0#1, %0#2 : tensor<16x8xf32>, tensor<4x6x8xf32>
}

// CHECK-LABEL: func.func private @layer(
// CHECK-SAME: tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"x"}]>
// CHECK-NEXT: stablehlo.constant
// CHECK-NEXT: stablehlo.dynamic_slice
func.func private @layer(%u: tensor<16x8xf32>, %t: tensor<4x6x8xf32>, %j: tensor<i32>) -> tensor<16x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %t, %j, %zero, %zero, sizes = [1, 6, 8] : (tensor<4x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
  %2 = stablehlo.dot_general %u, %1, contracting_dims = [1] x [1] : (tensor<16x8xf32>, tensor<6x8xf32>) -> tensor<16x6xf32>
  %3 = stablehlo.tanh %2 : tensor<16x6xf32>
  %4 = stablehlo.dot_general %3, %1, contracting_dims = [1] x [0] : (tensor<16x6xf32>, tensor<6x8xf32>) -> tensor<16x8xf32>
  return %4 : tensor<16x8xf32>
}

// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=2], device_ids=[3, 1, 0, 2, 5, 4]>/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/MESH/<["x"=7, "y"=1]>/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/MESH/<["x"=1, "y"=5]>/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL

// Gradients of three parts of a batch, added up in a loop in a loop: reduced once, behind both. A maximum begins with what was there.
// 4 x 5 gradients of 4 bytes and 5 of the maximum go once over the two devices of "x".
// CHECK: collectives
// CHECK-NEXT: all_reduce {{ *}}2 {{ *}}60 {{ *}}60
// CHECK-NEXT: memory
// CHECK: equal: yes
// EQUAL: equal: yes
sdy.mesh @mesh = MESH
func.func public @main(%x: tensor<6x10x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, %g: tensor<6x10x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}, %most: tensor<5xi32>)
    -> (tensor<4x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %lowest = stablehlo.constant dense<-2147483648> : tensor<i32>
  %none = stablehlo.constant dense<0> : tensor<4x5xi32>
  %0:3 = stablehlo.while(%i = %zero, %sum = %none, %m = %most) : tensor<i32>, tensor<4x5xi32>, tensor<5xi32>
  cond {
    %1 = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %1:3 = stablehlo.while(%j = %zero, %s = %sum, %n = %m) : tensor<i32>, tensor<4x5xi32>, tensor<5xi32>
    cond {
      %2 = stablehlo.compare LT, %j, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %then = stablehlo.add %j, %one : tensor<i32>
      %first = stablehlo.multiply %i, %three : tensor<i32>
      %k = stablehlo.add %first, %j : tensor<i32>
      %2 = stablehlo.dynamic_slice %x, %k, %zero, %zero, sizes = [1, 10, 4] : (tensor<6x10x4xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x10x4xi32>
      %3 = stablehlo.dynamic_slice %g, %k, %zero, %zero, sizes = [1, 10, 5] : (tensor<6x10x5xi32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x10x5xi32>
      %4 = stablehlo.dot_general %2, %3, contracting_dims = [0, 1] x [0, 1] : (tensor<1x10x4xi32>, tensor<1x10x5xi32>) -> tensor<4x5xi32>
      %5 = stablehlo.add %s, %4 : tensor<4x5xi32>
      %6 = stablehlo.reduce(%3 init: %lowest) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<1x10x5xi32>, tensor<i32>) -> tensor<5xi32>
      %7 = stablehlo.maximum %6, %n : tensor<5xi32>
      stablehlo.return %then, %5, %7 : tensor<i32>, tensor<4x5xi32>, tensor<5xi32>
    }
    stablehlo.return %next, %1#1, %1#2 : tensor<i32>, tensor<4x5xi32>, tensor<5xi32>
  }
  return %0#1, %0#2 : tensor<4x5xi32>, tensor<5xi32>
}

// RUN: spmd-run %s 2>&1 | FileCheck %s --implicit-check-not=warning
// RUN: spmd-run %s --no-functionalize | FileCheck %s
// CHECK: equal: yes

// Composites with rules of their own, in a loop and in others, of uneven dims: of two results, with a sum inside, and one whose rule says
// more than is so (rows are reversed, and what is inside moves them).
sdy.mesh @mesh = <["x"=2, "y"=3]>
func.func @main(%a: tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %w: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<8x5xf32>, tensor<5x8xf32>, tensor<8x7xf32>) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %loop:2 = stablehlo.while(%i = %zero, %x = %a) : tensor<i32>, tensor<8x5xf32>
   cond {
    %goes_on = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes_on : tensor<i1>
  } do {
    %0:2 = stablehlo.composite "my.two" %x, %a {decomposition = @two, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j], [j, i]) {i=8, j=5}>} : (tensor<8x5xf32>, tensor<8x5xf32>) -> (tensor<8x5xf32>, tensor<5x8xf32>)
    %1 = stablehlo.transpose %0#1, dims = [1, 0] : (tensor<5x8xf32>) -> tensor<8x5xf32>
    %2 = stablehlo.add %0#0, %1 : tensor<8x5xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %2 : tensor<i32>, tensor<8x5xf32>
  }
  %3:2 = stablehlo.composite "my.two" %loop#1, %a {decomposition = @two, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j], [j, i]) {i=8, j=5}>} : (tensor<8x5xf32>, tensor<8x5xf32>) -> (tensor<8x5xf32>, tensor<5x8xf32>)
  %4 = stablehlo.composite "my.product" %3#0, %w {decomposition = @product, sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=8, j=7, k=5} reduction={k}, custom>} : (tensor<8x5xf32>, tensor<5x7xf32>) -> tensor<8x7xf32>
  return %3#0, %3#1, %4 : tensor<8x5xf32>, tensor<5x8xf32>, tensor<8x7xf32>
}
func.func private @two(%a: tensor<8x5xf32>, %b: tensor<8x5xf32>) -> (tensor<8x5xf32>, tensor<5x8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %largest = stablehlo.reduce(%a init: %zero) applies stablehlo.maximum across dimensions = [1] : (tensor<8x5xf32>, tensor<f32>) -> tensor<8xf32>
  %0 = stablehlo.broadcast_in_dim %largest, dims = [0] : (tensor<8xf32>) -> tensor<8x5xf32>
  %1 = stablehlo.subtract %b, %0 : tensor<8x5xf32>
  %2 = call @reversed(%1) : (tensor<8x5xf32>) -> tensor<8x5xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
  return %2, %3 : tensor<8x5xf32>, tensor<5x8xf32>
}
func.func private @reversed(%a: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %0 = stablehlo.tanh %a : tensor<8x5xf32>
  %1 = stablehlo.reverse %0, dims = [0, 1] : tensor<8x5xf32>
  return %1 : tensor<8x5xf32>
}
func.func private @product(%a: tensor<8x5xf32>, %w: tensor<5x7xf32>) -> tensor<8x7xf32> {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x5xf32>, tensor<5x7xf32>) -> tensor<8x7xf32>
  %1 = stablehlo.composite "my.half" %0 {decomposition = @half, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=7}>} : (tensor<8x7xf32>) -> tensor<8x7xf32>
  return %1 : tensor<8x7xf32>
}
func.func private @half(%a: tensor<8x7xf32>) -> tensor<8x7xf32> {
  %half = stablehlo.constant dense<0.5> : tensor<8x7xf32>
  %0 = stablehlo.multiply %a, %half : tensor<8x7xf32>
  return %0 : tensor<8x7xf32>
}

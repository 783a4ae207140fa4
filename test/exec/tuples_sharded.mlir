// RUN: spmd-run %s --json=- | FileCheck %s

// The parts of tuples lie each as it likes, on uneven shards: nothing is gathered for being in one.
// CHECK: "equal": true
// CHECK: "wire_bytes_per_device": 0
sdy.mesh @mesh = <["x"=3]>
func.func private @step(%t: tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>)
    -> tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>> {
  %n = stablehlo.get_tuple_element %t[0] : (tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>) -> tensor<i32>
  %in = stablehlo.get_tuple_element %t[1] : (tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>) -> tuple<tensor<8x4xf32>, tensor<4x5xf32>>
  %x = stablehlo.get_tuple_element %in[0] : (tuple<tensor<8x4xf32>, tensor<4x5xf32>>) -> tensor<8x4xf32>
  %w = stablehlo.get_tuple_element %in[1] : (tuple<tensor<8x4xf32>, tensor<4x5xf32>>) -> tensor<4x5xf32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %next = stablehlo.add %n, %one : tensor<i32>
  %y = stablehlo.tanh %x : tensor<8x4xf32>
  %out = stablehlo.tuple %y, %w : tuple<tensor<8x4xf32>, tensor<4x5xf32>>
  %r = stablehlo.tuple %next, %out : tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>
  return %r : tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>
}
func.func @main(%t: tuple<tensor<8x4xf32>, tensor<4x5xf32>> {mhlo.sharding = "{{devices=[3,1]<=[3]},{replicated}}"})
    -> tuple<tensor<8x5xf32>, tuple<tensor<i32>>> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %start = stablehlo.tuple %zero, %t : tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>
  %loop = "stablehlo.while"(%start) ({
  ^bb0(%c: tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>):
    %i = stablehlo.get_tuple_element %c[0] : (tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>) -> tensor<i32>
    %three = stablehlo.constant dense<3> : tensor<i32>
    %less = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }, {
  ^bb0(%c: tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>):
    %d = func.call @step(%c) : (tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>) -> tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>
    stablehlo.return %d : tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>
  }) : (tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>) -> tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>
  %n = stablehlo.get_tuple_element %loop[0] : (tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>) -> tensor<i32>
  %in = stablehlo.get_tuple_element %loop[1] : (tuple<tensor<i32>, tuple<tensor<8x4xf32>, tensor<4x5xf32>>>) -> tuple<tensor<8x4xf32>, tensor<4x5xf32>>
  %x = stablehlo.get_tuple_element %in[0] : (tuple<tensor<8x4xf32>, tensor<4x5xf32>>) -> tensor<8x4xf32>
  %w = stablehlo.get_tuple_element %in[1] : (tuple<tensor<8x4xf32>, tensor<4x5xf32>>) -> tensor<4x5xf32>
  %y = stablehlo.slice %w [0:4, 0:5] : (tensor<4x5xf32>) -> tensor<4x5xf32>
  %dot = stablehlo.dot_general %x, %y, contracting_dims = [1] x [0] : (tensor<8x4xf32>, tensor<4x5xf32>) -> tensor<8x5xf32>
  %count = stablehlo.tuple %n : tuple<tensor<i32>>
  %r = stablehlo.tuple %dot, %count : tuple<tensor<8x5xf32>, tuple<tensor<i32>>>
  return %r : tuple<tensor<8x5xf32>, tuple<tensor<i32>>>
}

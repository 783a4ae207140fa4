// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=4, "y"=3], device_ids=[3, 1, 0, 2, 5, 4, 11, 10, 9, 8, 7, 6]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=16, "y"=1]>/' %s | spmd-run -

// Merged and cut where shards are not of one size: over parts of an axis and two axes at once, of all kinds of elements, in
// loops, of sums that are partial along another axis.
// CHECK: equal: yes
sdy.mesh @mesh = MESH
func.func @main(%part: tensor<5x3xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {}]>},
                %two: tensor<11x5x2xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}, {}]>},
                %far: tensor<21xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2, "y"}]>},
                %a: tensor<7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
                %b: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
                %few: tensor<1x3x5xi8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                %rows: tensor<10x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<15xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}]>},
        tensor<110xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}]>},
        tensor<7x3xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2, "y"}, {}]>},
        tensor<35xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
        tensor<15x1xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<30xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.reshape %part : (tensor<5x3xi1>) -> tensor<15xi1>
  %1 = stablehlo.reshape %two : (tensor<11x5x2xcomplex<f32>>) -> tensor<110xcomplex<f32>>
  %2 = stablehlo.reshape %far : (tensor<21xf64>) -> tensor<7x3xf64>
  %dot = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<7x6xf32>, tensor<6x5xf32>) -> tensor<7x5xf32>
  %3 = stablehlo.reshape %dot : (tensor<7x5xf32>) -> tensor<35xf32>
  %4 = stablehlo.reshape %few : (tensor<1x3x5xi8>) -> tensor<15x1xi8>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %5:2 = stablehlo.while(%i = %zero, %value = %rows) : tensor<i32>, tensor<10x3xi32>
    cond {
      %less = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %less : tensor<i1>
    } do {
      %next = stablehlo.add %i, %one : tensor<i32>
      %flat = stablehlo.reshape %value : (tensor<10x3xi32>) -> tensor<30xi32>
      %held = sdy.sharding_constraint %flat <@mesh, [{"x"}]> : tensor<30xi32>
      %turned = stablehlo.reverse %held, dims = [0] : tensor<30xi32>
      %count = stablehlo.iota dim = 0 : tensor<30xi32>
      %more = stablehlo.add %turned, %count : tensor<30xi32>
      %back = stablehlo.reshape %more : (tensor<30xi32>) -> tensor<10x3xi32>
      stablehlo.return %next, %back : tensor<i32>, tensor<10x3xi32>
    }
  %6 = stablehlo.reshape %5#1 : (tensor<10x3xi32>) -> tensor<30xi32>
  return %0, %1, %2, %3, %4, %6 : tensor<15xi1>, tensor<110xcomplex<f32>>, tensor<7x3xf64>, tensor<35xf32>, tensor<15x1xi8>, tensor<30xi32>
}

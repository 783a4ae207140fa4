// RUN: spmd-opt %s --spmd-pipeline=stop-after=partition | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=4]>

// Arguments and results keep their sharding and say what the whole is.
func.func @boundary(%a: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.negate %a : tensor<8x10xf32>
  return %0 : tensor<8x10xf32>
}

// A dim that divides needs no mask.
func.func @even_reduction_is_not_masked(%a: tensor<8x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// Where it does not divide, padding holds what the reducer leaves unchanged.
func.func @uneven_reduction_is_masked(%a: tensor<10x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<10x3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// Elementwise ops may leave anything in padding.
func.func @uneven_elementwise_is_not_masked(%a: tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  %0 = stablehlo.add %a, %a : tensor<10xi32>
  return %0 : tensor<10xi32>
}

// An initial value that is not the identity counts on the first device along the reduced axes.
func.func @initial_value_counts_once(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %seven) applies stablehlo.add across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// Offsets along an axis are computed once, at the top, for all who need them.
func.func @offsets_are_shared() -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<8x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.iota dim = 0 : tensor<8x3xi32>
  return %0, %1 : tensor<8xi32>, tensor<8x3xi32>
}

// A splat shrinks; of any other constant each device takes its part.
func.func @constants() -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  %0 = stablehlo.constant dense<5> : tensor<8xi32>
  %1 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  return %0, %1 : tensor<8xi32>, tensor<4xi32>
}

// One collective over both axes, not one for each.
func.func @union_of_axes(%a: tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  return %a : tensor<16xi32>
}

// Sliced and iterated dims that stay whole keep their numbers; split ones get local ones.
func.func @local_slice_sizes(%a: tensor<6x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %i: tensor<i32>) -> (tensor<2x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %i, %zero, sizes = [2, 8] : (tensor<6x8xi32>, tensor<i32>, tensor<i32>) -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

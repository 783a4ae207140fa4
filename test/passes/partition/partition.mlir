// RUN: spmd-opt %s --spmd-pipeline=stop-after=partition | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=4]>

// Arguments and results keep their sharding and say what the whole is.
// CHECK-LABEL: func.func @boundary(
// CHECK-SAME: %arg0: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, spmd.global_type = tensor<8x10xf32>}
// CHECK-SAME: -> (tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, spmd.global_type = tensor<8x10xf32>})
// CHECK-NEXT: %{{.+}} = stablehlo.negate %arg0 : tensor<4x3xf32>
func.func @boundary(%a: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.negate %a : tensor<8x10xf32>
  return %0 : tensor<8x10xf32>
}

// A dim that divides needs no mask.
// CHECK-LABEL: func.func @even_reduction_is_not_masked(
// CHECK-NOT: partition_id
// CHECK: stablehlo.reduce(%arg0 init:
// CHECK: stablehlo.all_reduce{{.*}}mesh = @mesh, axes = [#stablehlo.axis_ref<name = "y">]>
func.func @even_reduction_is_not_masked(%a: tensor<8x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<8x3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// Where it does not divide, padding holds what the reducer leaves unchanged.
// CHECK-LABEL: func.func @uneven_reduction_is_masked(
// CHECK: %[[ID:.+]] = stablehlo.convert %{{.+}} : (tensor<ui32>) -> tensor<i32>
// CHECK: %[[FOUR:.+]] = stablehlo.constant dense<4> : tensor<i32>
// CHECK: %[[Y:.+]] = stablehlo.remainder %[[ID]], %[[FOUR]]
// CHECK: %[[FIRST:.+]] = stablehlo.multiply %[[Y]], %{{.+}} : tensor<i32>
// CHECK: %[[REST:.+]] = stablehlo.subtract %{{.+}}, %[[FIRST]]
// CHECK: %[[ROW:.+]] = stablehlo.iota dim = 0 : tensor<3x3xi32>
// CHECK: %[[LIMIT:.+]] = stablehlo.broadcast_in_dim %[[REST]], dims = []
// CHECK: %[[INSIDE:.+]] = stablehlo.compare LT, %[[ROW]], %[[LIMIT]], SIGNED
// CHECK: %[[ONE:.+]] = stablehlo.constant dense<1> : tensor<3x3xi32>
// CHECK: %[[MASKED:.+]] = stablehlo.select %[[INSIDE]], %arg0, %[[ONE]]
// CHECK: stablehlo.reduce(%[[MASKED]] init:
func.func @uneven_reduction_is_masked(%a: tensor<10x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %one) applies stablehlo.multiply across dimensions = [0] : (tensor<10x3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// Elementwise ops may leave anything in padding.
// CHECK-LABEL: func.func @uneven_elementwise_is_not_masked(
// CHECK-NEXT: %{{.+}} = stablehlo.add %arg0, %arg0 : tensor<3xi32>
func.func @uneven_elementwise_is_not_masked(%a: tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  %0 = stablehlo.add %a, %a : tensor<10xi32>
  return %0 : tensor<10xi32>
}

// An initial value that is not the identity counts on the first device along the reduced axes.
// CHECK-LABEL: func.func @initial_value_counts_once(
// CHECK: %[[SEVEN:.+]] = stablehlo.constant dense<7>
// CHECK: %[[FIRST:.+]] = stablehlo.compare EQ
// CHECK: %[[IDENTITY:.+]] = stablehlo.constant dense<0>
// CHECK: %[[INIT:.+]] = stablehlo.select %[[FIRST]], %[[SEVEN]], %[[IDENTITY]]
// CHECK: stablehlo.reduce(%arg0 init: %[[INIT]])
func.func @initial_value_counts_once(%a: tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %seven) applies stablehlo.add across dimensions = [0] : (tensor<8xi32>, tensor<i32>) -> tensor<i32>
  return %0 : tensor<i32>
}

// Where a device reduces one row, it comes in behind the op: XLA takes that op for a reshape, whatever it starts from.
// CHECK-LABEL: func.func @initial_value_beside_one_row(
// CHECK: %[[FIRST:.+]] = stablehlo.compare EQ
// CHECK: %[[IDENTITY:.+]] = stablehlo.constant dense<0>
// CHECK: %[[INIT:.+]] = stablehlo.select %[[FIRST]], %{{.+}}, %[[IDENTITY]]
// CHECK: %[[ROW:.+]] = stablehlo.reduce(%arg0 init: %[[IDENTITY]])
// CHECK: %[[INITS:.+]] = stablehlo.broadcast_in_dim %[[INIT]], dims = [] : (tensor<i32>) -> tensor<3xi32>
// CHECK: %[[SHARE:.+]] = stablehlo.add %[[ROW]], %[[INITS]]
// CHECK: "stablehlo.all_reduce"(%[[SHARE]])
func.func @initial_value_beside_one_row(%a: tensor<4x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %seven = stablehlo.constant dense<7> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %seven) applies stablehlo.add across dimensions = [0] : (tensor<4x3xi32>, tensor<i32>) -> tensor<3xi32>
  return %0 : tensor<3xi32>
}

// Offsets along an axis are computed once, at the top, for all who need them.
// CHECK-LABEL: func.func @offsets_are_shared(
// CHECK: %[[OFFSET:.+]] = stablehlo.multiply
// CHECK-NOT: stablehlo.multiply
// CHECK: %[[A:.+]] = stablehlo.iota dim = 0 : tensor<2xi32>
// CHECK: %[[B:.+]] = stablehlo.broadcast_in_dim %[[OFFSET]], dims = []
// CHECK: stablehlo.add %[[A]], %[[B]] : tensor<2xi32>
// CHECK: stablehlo.broadcast_in_dim %[[OFFSET]], dims = [] : (tensor<i32>) -> tensor<2x3xi32>
func.func @offsets_are_shared() -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<8x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = stablehlo.iota dim = 0 : tensor<8xi32>
  %1 = stablehlo.iota dim = 0 : tensor<8x3xi32>
  return %0, %1 : tensor<8xi32>, tensor<8x3xi32>
}

// A splat shrinks; of any other constant each device takes its part.
// CHECK-LABEL: func.func @constants(
// CHECK: stablehlo.constant dense<5> : tensor<2xi32>
// CHECK: %[[ALL:.+]] = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
// CHECK: stablehlo.dynamic_slice %[[ALL]], %{{.+}}, sizes = [1]
func.func @constants() -> (tensor<8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  %0 = stablehlo.constant dense<5> : tensor<8xi32>
  %1 = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  return %0, %1 : tensor<8xi32>, tensor<4xi32>
}

// One collective over both axes, not one for each.
// CHECK-LABEL: func.func @union_of_axes(
// CHECK-NEXT: %{{.+}} = "stablehlo.all_gather"(%arg0){{.*}}axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "y">]>{{.*}}-> tensor<16xi32>
// CHECK-NEXT: return
func.func @union_of_axes(%a: tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> (tensor<16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  return %a : tensor<16xi32>
}

// Sliced and iterated dims that stay whole keep their numbers; split ones get local ones.
// CHECK-LABEL: func.func @local_slice_sizes(
// CHECK: stablehlo.dynamic_slice %arg0, %arg1, %{{.+}}, sizes = [2, 2]
func.func @local_slice_sizes(%a: tensor<6x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %i: tensor<i32>) -> (tensor<2x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %a, %i, %zero, sizes = [2, 8] : (tensor<6x8xi32>, tensor<i32>, tensor<i32>) -> tensor<2x8xi32>
  return %0 : tensor<2x8xi32>
}

// A value that two ops read with its padding at zero is masked once for both.
// CHECK-LABEL: func.func @masked_once_per_need(
// CHECK: %[[MASKED:.+]] = stablehlo.select
// CHECK-NOT: stablehlo.select %{{.+}}, %arg0
// CHECK: stablehlo.reduce(%[[MASKED]] init:
// CHECK: stablehlo.reduce(%[[MASKED]] init:
func.func @masked_once_per_need(%a: tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}, tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<i32>
  %1 = stablehlo.reduce(%a init: %one) applies stablehlo.xor across dimensions = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<i32>
  return %0, %1 : tensor<i32>, tensor<i32>
}

// Padding of indices is masked, too.
// CHECK-LABEL: func.func @masked_indices(
// CHECK: %[[ZERO:.+]] = stablehlo.constant dense<0> : tensor<3xindex>
// CHECK: stablehlo.select %{{.+}}, %arg0, %[[ZERO]] : tensor<3xi1>, tensor<3xindex>
func.func @masked_indices(%a: tensor<10xindex> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<index> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
  %zero = stablehlo.constant dense<0> : tensor<index>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10xindex>, tensor<index>) -> tensor<index>
  return %0 : tensor<index>
}

// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate=conflicts=shardy | diff %t.mlir -

sdy.mesh @mesh = <["x"=2]>

// A result that is pinned as the argument that it takes the memory of grows with it, and what it is made of learns that, as it
// does when the result is read again.
// CHECK-LABEL: func.func @pinned_alike(
// CHECK-SAME: %arg0: tensor<2x2xui8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", ?}]>, tf.aliasing_output = 1 : i32}
// CHECK-SAME: %arg1: tensor<2x2xui8> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", ?}]>, spmd.inferred}
// CHECK-SAME: tensor<2x2xui8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", ?}]>})
func.func @pinned_alike(%a: tensor<2x2xui8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}]>, tf.aliasing_output = 1 : i32}, %b: tensor<2x2xui8>)
    -> (tensor<2x2xui8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<2x2xui8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {?}]>}) {
  return %a, %b : tensor<2x2xui8>, tensor<2x2xui8>
}

// One that is pinned to what is left of the argument's sharding where shards are even stays pinned to that.
// CHECK-LABEL: func.func @left_alike(
// CHECK-SAME: -> (tensor<1x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
func.func @left_alike(%a: tensor<1x2xf32> {tf.aliasing_output = 0 : i32})
    -> (tensor<1x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = sdy.sharding_constraint %a <@mesh, [{"x"}, {}]> : tensor<1x2xf32>
  return %a : tensor<1x2xf32>
}

// RUN: spmd-opt %s --spmd-pipeline=stop-after=partition | FileCheck %s

// Bodies are split in place: arguments and results take local types.
sdy.mesh @mesh = <["x"=2, "y"=4]>

// CHECK-LABEL: func.func @carries_are_local(
// CHECK: stablehlo.while(%{{.+}} = %{{.+}}, %{{.+}} = %arg0) : tensor<i1>, tensor<4x4xi32>
// CHECK: stablehlo.dot_general {{.*}} (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
// CHECK: stablehlo.return %{{.+}}, %{{.+}} : tensor<i1>, tensor<4x4xi32>
func.func @carries_are_local(%a: tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<4x4xi32>, %n: tensor<i1>) -> tensor<8x4xi32> {
  %0:2 = stablehlo.while(%p = %n, %c = %a) : tensor<i1>, tensor<8x4xi32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dot_general %c, %w, contracting_dims = [1] x [0] : (tensor<8x4xi32>, tensor<4x4xi32>) -> tensor<8x4xi32>
    stablehlo.return %p, %1 : tensor<i1>, tensor<8x4xi32>
  }
  return %0#1 : tensor<8x4xi32>
}

// Each block that reads padding masks for itself: 5 rows over 2 devices.
// CHECK-LABEL: func.func @masks_are_of_their_block(
// CHECK: "stablehlo.if"
// CHECK: %[[FIRST:.+]] = stablehlo.select
// CHECK: stablehlo.reduce(%[[FIRST]]
// CHECK: %[[SECOND:.+]] = stablehlo.select
// CHECK: stablehlo.reduce(%[[SECOND]]
func.func @masks_are_of_their_block(%a: tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %p: tensor<i1>) -> tensor<i32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }, {
    %1 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<5xi32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<i1>) -> tensor<i32>
  return %0 : tensor<i32>
}

// A body with free axes is split along them, and stands in the place of the op.
// CHECK-LABEL: func.func @free_axes_are_split(
// CHECK-SAME: %arg0: tensor<2x4xf32>
// CHECK-NOT: sdy.manual
// CHECK: stablehlo.negate %arg0 : tensor<2x4xf32>
// CHECK: "stablehlo.all_reduce"
// CHECK: (tensor<2x4xf32>) -> tensor<2x4xf32>
func.func @free_axes_are_split(%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}) -> tensor<8x4xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{?}, {?}], replicated={"x"}>] manual_axes={"x"} (%u: tensor<8x4xf32>) {
    %1 = stablehlo.negate %u : tensor<8x4xf32>
    %2 = "stablehlo.all_reduce"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 4], [1, 5], [2, 6], [3, 7]]> : tensor<4x2xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      %3 = stablehlo.add %p, %q : tensor<f32>
      stablehlo.return %3 : tensor<f32>
    }) : (tensor<8x4xf32>) -> tensor<8x4xf32>
    sdy.return %2 : tensor<8x4xf32>
  } : (tensor<16x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// A function that only an attribute names is not dropped.
// CHECK-LABEL: func.func @names_a_computation(
// CHECK: called_computations = [@named]
// CHECK: func.func private @named(
func.func @names_a_computation(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @run(%a) {called_computations = [@named]} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @named(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<8xf32> {
  return %a : tensor<8xf32>
}

// The line to write for a value without a sharding splits it as what stands around it: along the dim that shares a factor with
// the nearest sharded value, and its axes; else, if possible, along an axis that nothing beside it is split along. The warning,
// the list and the value itself say the same line.
// RUN: spmd-opt %s --spmd-propagate -o %t.out 2>&1 | FileCheck %s
// RUN: spmd-opt %s --spmd-explain=missing | FileCheck %s
// RUN: spmd-opt %s --spmd-explain=value=@user:%d | FileCheck %s --check-prefix=USER
// RUN: spmd-opt %s --spmd-explain=value=@product:%b | FileCheck %s --check-prefix=PRODUCT
// RUN: spmd-opt %s --spmd-explain=value=@turned:%b | FileCheck %s --check-prefix=TURNED

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Only results learn: what is used for columns along "y" has these columns.
// USER: dim 1 (size 8) is not split:
// USER: to split it, write: %d: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>}
// CHECK: to split it, write: %d: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>}
func.func @user(%d: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>}) {
  %0 = sdy.propagation_barrier %d allowed_direction=FORWARD : tensor<8x8xf32>
  %1 = stablehlo.negate %0 : tensor<8x8xf32>
  return %1 : tensor<8x8xf32>
}

// Rows along "x" are none of the second factor's dims, and the product has them.
// PRODUCT: dim 0 (size 6) is not split:
// PRODUCT: to split it, write: %b: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {?}]>}
// CHECK: to split it, write: %b: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {?}]>}
func.func @product(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %b: tensor<6x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.dot %a, %b : (tensor<8x6xf32>, tensor<6x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// Over two ops, one of which swaps dims: from %a through a barrier and a transpose.
// TURNED: dim 1 (size 8) is not split:
// TURNED: to split it, write: %b: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", "x"}]>}
// CHECK: to split it, write: %b: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", "x"}]>}
func.func @turned(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {?}]>}, %b: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %0 = sdy.propagation_barrier %a allowed_direction=NONE : tensor<8x6xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x6xf32>) -> tensor<6x8xf32>
  %2 = stablehlo.add %1, %b : tensor<6x8xf32>
  return %2 : tensor<6x8xf32>
}

// A dim whose user priority is not yet up neither tells nor learns anything, however open it is.
// RUN: spmd-opt %s --spmd-propagate 2>/dev/null | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy 2>/dev/null | FileCheck %s --check-prefixes=CHECK,SHARDY

sdy.mesh @m = <["x"=2, "y"=2, "z"=2]>

// "y" of the result comes first, and does not go behind "x" of %a.
// CHECK-LABEL: func.func @open_dim(
// CHECK-SAME: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}p1, {?}]>}
// CHECK-SAME: %arg1: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}, {?}]>, spmd.inferred}
// CHECK: stablehlo.multiply {{.*}}[{"y"}p0, {?}]
func.func @open_dim(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}p1, {?}]>}, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.multiply %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"y"}p0, {?}]>]>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Behind that it grows as any other: two products are made of %a, one of which goes on from "x".
// SHARDY-LABEL: func.func @grows_later(
// SHARDY-SAME: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", "y", ?}p1, {}]>}
// SHARDY: stablehlo.multiply {{.*}}[{"z", ?}, {?}]
func.func @grows_later(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}p1, {}]>}, %b: tensor<8x8xf32>,
    %c: tensor<8x8xf32>, %d: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.multiply %a, %b : tensor<8x8xf32>
  %1 = stablehlo.add %a, %c {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"x", "y", ?}p0, {}]>]>} : tensor<8x8xf32>
  %2 = stablehlo.subtract %0, %d {sdy.sharding = #sdy.sharding_per_value<[<@m, [{"z", ?}p0, {}]>]>} : tensor<8x8xf32>
  return %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>
}

// Without axes, too: "z" of %d comes to the sum first, and "x" of %a not through the product.
// SHARDY-LABEL: func.func @without_axes(
// SHARDY: stablehlo.multiply {{.*}}[{"y", ?}, {"x", ?}p1]
// SHARDY: stablehlo.add {{.*}}[{"y", ?}, {"z", ?}]
func.func @without_axes(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}p0, {"x"}p0]>}, %b: tensor<8x8xf32>,
    %c: tensor<8x8xf32>, %d: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"z"}p0]>}) -> tensor<8x8xf32> {
  %0 = stablehlo.multiply %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}p1]>]>} : tensor<8x8xf32>
  %1 = stablehlo.add %0, %c : tensor<8x8xf32>
  %2 = stablehlo.subtract %1, %d : tensor<8x8xf32>
  return %2 : tensor<8x8xf32>
}

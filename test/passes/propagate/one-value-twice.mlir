// RUN: spmd-opt %s --spmd-propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate -o %t.1 && spmd-opt %t.1 --spmd-propagate -o %t.2 && diff %t.1 %t.2
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy | FileCheck %s --check-prefix=SHARDY
// RUN: spmd-opt %s --spmd-explain="value=@both:%x value=@rows:%x" | FileCheck %s --check-prefix=WHY
// RUN: spmd-opt %s --spmd-explain="value=@both:%x value=@rows:%x conflicts=shardy" | FileCheck %s --check-prefix=SHARDYWHY

sdy.mesh @mesh = <["x"=2, "y"=3]>

// A value that is both operands of an op learns as one of them, and then as the other.
// CHECK-LABEL: func.func @rows
// CHECK-SAME: %arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>, spmd.inferred}
// SHARDY-LABEL: func.func @rows
// SHARDY-SAME: %arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>, spmd.inferred}
// WHY: %x, argument 0 of @both ({{.*}}): [{"x", ?}, {?}], inferred
// WHY: through 'stablehlo.dot_general' ({{.*}}): %0 dim 0 -> %x dim 0
// WHY: %x, argument 0 of @rows ({{.*}}): [{"x", ?}, {?}], inferred
// WHY: through 'stablehlo.dot_general' ({{.*}}): %0 dim 0 -> %x dim 0
func.func @rows(%x: tensor<8x4xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<8x4xf32>, tensor<8x4xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// Of one dim, the first. To Shardy the last.
// CHECK-LABEL: func.func @both
// CHECK-SAME: %arg0: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>, spmd.inferred}
// SHARDY-LABEL: func.func @both
// SHARDY-SAME: %arg0: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}, {?}]>, spmd.inferred}
// SHARDYWHY: %x, argument 0 of @both ({{.*}}): [{"y", ?}, {?}], inferred
// SHARDYWHY: through 'stablehlo.dot_general' ({{.*}}): %0 dim 1 -> %x dim 0
func.func @both(%x: tensor<6x4xf32>) -> (tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<6x4xf32>, tensor<6x4xf32>) -> tensor<6x6xf32>
  return %0 : tensor<6x6xf32>
}

// Of two dims, both.
// CHECK-LABEL: func.func @rows_and_columns
// CHECK-SAME: %arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y", ?}]>, spmd.inferred}
func.func @rows_and_columns(%x: tensor<8x8xf32>) -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

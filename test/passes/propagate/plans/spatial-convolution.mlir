// RUN: spmd-opt %s --split-input-file --spmd-propagate -o %t
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --split-input-file --spmd-propagate | diff %t -
// RUN: spmd-opt %s --split-input-file --spmd-pipeline=bucket-bytes=0 | FileCheck %s --check-prefix=MOVES --implicit-check-not='"stablehlo.{{all_|reduce_scatter|collective_}}'

// Images are split in height: the rows that a window needs beyond its device's own come from neighbours. Of stride
// 1, from both; of stride 2 with padding at the end, from one.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: ->
// CHECK-SAME: [{"data", ?}, {"h", ?}, {?}, {?}]>
// CHECK: stablehlo.convolution{{.*}}<@mesh, [{"data", ?}, {"h", ?}, {?}, {?}]>
// CHECK: stablehlo.convolution{{.*}}<@mesh, [{"data", ?}, {"h", ?}, {?}, {?}]>
// MOVES-LABEL: func.func public @main(
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<2x1x48x16xf32>
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<2x1x48x16xf32>
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<2x1x48x32xf32>
sdy.mesh @mesh = <["data"=2, "h"=4]>
func.func public @main(%x: tensor<4x64x48x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"h"}, {}, {}]>}, %k1: tensor<3x3x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %k2: tensor<3x3x32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}) -> tensor<4x32x24x32xf32> {
  %0 = stablehlo.convolution(%x, %k1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x64x48x16xf32>, tensor<3x3x16x32xf32>) -> tensor<4x64x48x32xf32>
  %1 = stablehlo.tanh %0 : tensor<4x64x48x32xf32>
  %2 = stablehlo.convolution(%1, %k2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x64x48x32xf32>, tensor<3x3x32x32xf32>) -> tensor<4x32x24x32xf32>
  return %2 : tensor<4x32x24x32xf32>
}

// -----

// Gradients of images exchange rows again. Kernels are replicated, so their gradients are all-reduced. No row is sent
// twice.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: [{"data", ?}, {"h", ?}, {?}, {?}]>, spmd.inferred
// CHECK-SAME: ->
// CHECK-SAME: [{"data", ?}, {"h", ?}, {?}, {?}]>
// CHECK-SAME: [{?}, {?}, {?}, {?}]>
// CHECK-SAME: [{?}, {?}, {?}, {?}]>
// CHECK-SAME: [{"data", ?}, {"h", ?}, {?}, {?}]>
// CHECK: stablehlo.convolution{{.*}}<@mesh, [{"data", ?}, {"h", ?}, {?}, {?}]>
// CHECK: stablehlo.convolution{{.*}}<@mesh, [{"data", ?}, {"h", ?}, {?}, {?}]>
// CHECK: stablehlo.convolution{{.*}}<@mesh, [{?}, {?}, {?}, {?}]>
// CHECK: stablehlo.convolution{{.*}}<@mesh, [{"data", ?}, {"h", ?}, {?}, {?}]>
// CHECK: stablehlo.convolution{{.*}}<@mesh, [{?}, {?}, {?}, {?}]>
// CHECK: stablehlo.convolution{{.*}}<@mesh, [{"data", ?}, {"h", ?}, {?}, {?}]>
// MOVES-LABEL: func.func public @main(
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<2x1x48x16xf32>
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<2x1x48x16xf32>
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<2x1x48x32xf32>
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<2x1x24x32xf32>
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<2x1x48x32xf32>
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<2x1x48x32xf32>
// MOVES: "stablehlo.all_reduce"
// MOVES: }) : (tensor<3x3x16x32xf32>) -> tensor<3x3x16x32xf32>
// MOVES: "stablehlo.all_reduce"
// MOVES: }) : (tensor<3x3x32x32xf32>) -> tensor<3x3x32x32xf32>
sdy.mesh @mesh = <["data"=2, "h"=4]>
func.func public @main(%x: tensor<4x64x48x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"h"}, {}, {}]>}, %k1: tensor<3x3x16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %k2: tensor<3x3x32x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}, %dy: tensor<4x32x24x32xf32>) -> (tensor<4x32x24x32xf32>, tensor<3x3x16x32xf32>, tensor<3x3x32x32xf32>, tensor<4x64x48x16xf32>) {
  %0 = stablehlo.convolution(%x, %k1) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x64x48x16xf32>, tensor<3x3x16x32xf32>) -> tensor<4x64x48x32xf32>
  %1 = stablehlo.tanh %0 : tensor<4x64x48x32xf32>
  %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
  %2 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<4x64x48x32xf32>
  %3 = stablehlo.subtract %2, %1 : tensor<4x64x48x32xf32>
  %4 = stablehlo.convolution(%1, %k2) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 2], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x64x48x32xf32>, tensor<3x3x32x32xf32>) -> tensor<4x32x24x32xf32>
  %5 = stablehlo.convolution(%1, %dy) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[0, 1], [0, 1]], lhs_dilate = [1, 1], rhs_dilate = [2, 2], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x64x48x32xf32>, tensor<4x32x24x32xf32>) -> tensor<3x3x32x32xf32>
  %6 = stablehlo.reverse %k2, dims = [0, 1] : tensor<3x3x32x32xf32>
  %7 = stablehlo.convolution(%dy, %6) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[2, 1], [2, 1]], lhs_dilate = [2, 2], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x32x24x32xf32>, tensor<3x3x32x32xf32>) -> tensor<4x64x48x32xf32>
  %8 = stablehlo.multiply %7, %3 : tensor<4x64x48x32xf32>
  %9 = stablehlo.multiply %8, %1 : tensor<4x64x48x32xf32>
  %10 = stablehlo.add %8, %9 : tensor<4x64x48x32xf32>
  %11 = stablehlo.convolution(%x, %10) dim_numbers = [f, 0, 1, b]x[i, 0, 1, o]->[0, 1, b, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x64x48x16xf32>, tensor<4x64x48x32xf32>) -> tensor<3x3x16x32xf32>
  %12 = stablehlo.reverse %k1, dims = [0, 1] : tensor<3x3x16x32xf32>
  %13 = stablehlo.convolution(%10, %12) dim_numbers = [b, 0, 1, f]x[0, 1, o, i]->[b, 0, 1, f], window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64, precision_config = [#stablehlo<precision DEFAULT>, #stablehlo<precision DEFAULT>]} : (tensor<4x64x48x32xf32>, tensor<3x3x16x32xf32>) -> tensor<4x64x48x16xf32>
  return %4, %11, %5, %13 : tensor<4x32x24x32xf32>, tensor<3x3x16x32xf32>, tensor<3x3x32x32xf32>, tensor<4x64x48x16xf32>
}

// -----

// Rows of the image and features of the weights want one axis. Rows stay, and only their edges move; weights are gathered.
// CHECK-LABEL: func.func public @main(
// CHECK: stablehlo.convolution{{.*}}sharding_per_value<[<@row, [{?}, {"d", ?}, {?}, {?}]>]>
// CHECK: stablehlo.tanh{{.*}}sharding_per_value<[<@row, [{?}, {"d", ?}, {?}, {?}]>]>
// CHECK: stablehlo.convolution{{.*}}sharding_per_value<[<@row, [{?}, {"d", ?}, {?}, {?}]>]>
// MOVES-LABEL: func.func public @main(
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<3x3x16x16xf32>
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<4x1x64x16xf32>
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<4x1x64x16xf32>
// MOVES: "stablehlo.all_gather"{{.*}} -> tensor<3x3x16x16xf32>
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<4x1x64x16xf32>
// MOVES: "stablehlo.collective_permute"{{.*}} -> tensor<4x1x64x16xf32>
sdy.mesh @row = <["d"=4]>
func.func public @main(%x: tensor<4x64x64x16xf32> {sdy.sharding = #sdy.sharding<@row, [{?}, {"d", ?}, {?}, {?}]>}, %w: tensor<3x3x16x16xf32> {sdy.sharding = #sdy.sharding<@row, [{}, {}, {}, {"d"}]>}, %v: tensor<3x3x16x16xf32> {sdy.sharding = #sdy.sharding<@row, [{}, {}, {}, {"d"}]>}) -> tensor<4x64x64x16xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x64x64x16xf32>, tensor<3x3x16x16xf32>) -> tensor<4x64x64x16xf32>
  %1 = stablehlo.tanh %0 : tensor<4x64x64x16xf32>
  %2 = stablehlo.convolution(%1, %v) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<4x64x64x16xf32>, tensor<3x3x16x16xf32>) -> tensor<4x64x64x16xf32>
  return %2 : tensor<4x64x64x16xf32>
}

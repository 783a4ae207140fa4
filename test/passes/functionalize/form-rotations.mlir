// RUN: spmd-opt %s --spmd-update-in-place | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=MOVES

sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func.func @forward(
// CHECK-NEXT: %[[Y:.+]] = spmd.rotate %arg0 by 2 along 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, spmd.inferred} : tensor<16x4xf32>
// CHECK-NEXT: return %[[Y]]
// MOVES-LABEL: func.func @forward(
// MOVES-COUNT-1: collective_permute
// MOVES-SAME: tensor<2x4xf32>
// MOVES-NOT: collective_permute
func.func @forward(%x: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.slice %x [2:16, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, spmd.inferred} : (tensor<16x4xf32>) -> tensor<14x4xf32>
  %1 = stablehlo.slice %x [0:2, 0:4] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, spmd.inferred} : (tensor<16x4xf32>) -> tensor<2x4xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, spmd.inferred} : (tensor<14x4xf32>, tensor<2x4xf32>) -> tensor<16x4xf32>
  return %2 : tensor<16x4xf32>
}

// Back by 5 of 16 rows is forward by 11: rows 3 of the second device further on, and 0 to 2 of the third.
// CHECK-LABEL: func.func @backward(
// CHECK-NEXT: spmd.rotate %arg0 by 11 along 1
// MOVES-LABEL: func.func @backward(
// MOVES-COUNT-2: collective_permute
// MOVES-NOT: collective_permute
// MOVES-LABEL: func.func @uneven(
func.func @backward(%x: tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) -> (tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0 = stablehlo.slice %x [0:2, 11:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>, spmd.inferred} : (tensor<2x16xf32>) -> tensor<2x5xf32>
  %1 = stablehlo.slice %x [0:2, 0:11] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>, spmd.inferred} : (tensor<2x16xf32>) -> tensor<2x11xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>, spmd.inferred} : (tensor<2x5xf32>, tensor<2x11xf32>) -> tensor<2x16xf32>
  return %2 : tensor<2x16xf32>
}

// Blocks may be of different sizes.
// CHECK-LABEL: func.func @uneven(
// CHECK-NEXT: spmd.rotate %arg0 by 2 along 0
// MOVES-NOT: all_gather
// MOVES-LABEL: func.func @others(
func.func @uneven(%x: tensor<15x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<15x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.slice %x [2:15, 0:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<15x16xf32>) -> tensor<13x16xf32>
  %1 = stablehlo.slice %x [0:2, 0:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<15x16xf32>) -> tensor<2x16xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<13x16xf32>, tensor<2x16xf32>) -> tensor<15x16xf32>
  return %2 : tensor<15x16xf32>
}

// A dim that is whole, or cut otherwise before than after, or parts that are not all, or in order, stay.
// CHECK-LABEL: func.func @others(
// CHECK-NOT: spmd.rotate
func.func @others(%x: tensor<15x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %y: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<15x16xf32>, tensor<15x16xf32>, tensor<16xf32>, tensor<16xf32>) {
  %0 = stablehlo.slice %x [0:15, 2:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<15x16xf32>) -> tensor<15x14xf32>
  %1 = stablehlo.slice %x [0:15, 0:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<15x16xf32>) -> tensor<15x2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<15x14xf32>, tensor<15x2xf32>) -> tensor<15x16xf32>
  %3 = stablehlo.slice %x [2:15, 0:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<15x16xf32>) -> tensor<13x16xf32>
  %4 = stablehlo.slice %x [0:2, 0:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : (tensor<15x16xf32>) -> tensor<2x16xf32>
  %5 = stablehlo.concatenate %3, %4, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<13x16xf32>, tensor<2x16xf32>) -> tensor<15x16xf32>
  %6 = stablehlo.slice %y [2:16] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<14xf32>
  %7 = stablehlo.slice %y [1:3] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<2xf32>
  %8 = stablehlo.concatenate %6, %7, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<14xf32>, tensor<2xf32>) -> tensor<16xf32>
  %9 = stablehlo.slice %y [0:2] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<16xf32>) -> tensor<2xf32>
  %10 = stablehlo.concatenate %9, %6, dim = 0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<2xf32>, tensor<14xf32>) -> tensor<16xf32>
  return %2, %5, %8, %10 : tensor<15x16xf32>, tensor<15x16xf32>, tensor<16xf32>, tensor<16xf32>
}

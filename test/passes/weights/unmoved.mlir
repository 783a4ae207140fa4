// RUN: spmd-opt %s --spmd-propagate --spmd-move-weights --split-input-file | FileCheck %s

// What stays as it is.

// A product that is smaller than its weight: few rows.
sdy.mesh @mesh = <["x"=4]>
// CHECK-LABEL: func @few_rows
// CHECK: stablehlo.dot_general %arg0, %arg1
// CHECK: stablehlo.slice
func.func @few_rows(%x: tensor<4x4xf32>, %w: tensor<4x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x24xf32>) -> tensor<4x24xf32>
  %1 = stablehlo.slice %0 [0:4, 0:8] : (tensor<4x24xf32>) -> tensor<4x8xf32>
  return %1 : tensor<4x8xf32>
}

// -----

// One that is pinned as a whole.
sdy.mesh @mesh = <["x"=4]>
// CHECK-LABEL: func @pinned
// CHECK: stablehlo.dot_general %arg0, %arg1
// CHECK: stablehlo.slice
func.func @pinned(%x: tensor<64x4xf32>, %w: tensor<4x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<64x4xf32>, tensor<4x24xf32>) -> tensor<64x24xf32>
  %1 = stablehlo.slice %0 [0:64, 0:8] : (tensor<64x24xf32>) -> tensor<64x8xf32>
  return %1 : tensor<64x8xf32>
}

// -----

// One that is also needed whole.
sdy.mesh @mesh = <["x"=4]>
// CHECK-LABEL: func @whole
// CHECK: stablehlo.dot_general %arg0, %arg1
// CHECK-NOT: stablehlo.dot_general
// CHECK: return
func.func @whole(%x: tensor<64x4xf32>, %w: tensor<4x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<64x24xf32>) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x24xf32>) -> tensor<64x24xf32>
  %1 = stablehlo.slice %0 [0:64, 0:8] : (tensor<64x24xf32>) -> tensor<64x8xf32>
  return %1, %0 : tensor<64x8xf32>, tensor<64x24xf32>
}

// -----

// Slices that have elements in common: they would be computed twice.
sdy.mesh @mesh = <["x"=4]>
// CHECK-LABEL: func @twice
// CHECK: stablehlo.dot_general %arg0, %arg1
// CHECK-NOT: stablehlo.dot_general
// CHECK: return
func.func @twice(%x: tensor<64x4xf32>, %w: tensor<4x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x24xf32>) -> tensor<64x24xf32>
  %1 = stablehlo.slice %0 [0:64, 0:8] : (tensor<64x24xf32>) -> tensor<64x8xf32>
  %2 = stablehlo.slice %0 [0:64, 4:12] : (tensor<64x24xf32>) -> tensor<64x8xf32>
  return %1, %2 : tensor<64x8xf32>, tensor<64x8xf32>
}

// -----

// Columns written in other dims of which the first is in as many shards: nothing moves.
sdy.mesh @mesh = <["x"=4]>
// CHECK-LABEL: func @fits
// CHECK: stablehlo.dot_general %arg0, %arg1
// CHECK: stablehlo.reshape
func.func @fits(%x: tensor<64x4xf32>, %w: tensor<4x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<64x4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x24xf32>) -> tensor<64x24xf32>
  %1 = stablehlo.reshape %0 : (tensor<64x24xf32>) -> tensor<64x4x6xf32>
  return %1 : tensor<64x4x6xf32>
}

// -----

// Joined gradients that an op other than a product reads, too.
sdy.mesh @mesh = <["x"=4]>
// CHECK-LABEL: func @read_whole
// CHECK: stablehlo.concatenate
// CHECK: stablehlo.dot_general
// CHECK-NOT: stablehlo.dot_general
// CHECK: return
func.func @read_whole(%w: tensor<4x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %p: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                      %q: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<64x4xf32>, tensor<64x24xf32>) {
  %0 = stablehlo.concatenate %p, %q, dim = 1 : (tensor<64x8xf32>, tensor<64x16xf32>) -> tensor<64x24xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [1] : (tensor<64x24xf32>, tensor<4x24xf32>) -> tensor<64x4xf32>
  %2 = stablehlo.reverse %0, dims = [1] : tensor<64x24xf32>
  return %1, %2 : tensor<64x4xf32>, tensor<64x24xf32>
}

// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s
// RUN: %{both-modes}
// A cache of keys and one of values, in pages: new tokens are written to their slots through a view of all pages in a row,
// and a sequence reads the pages of its table. The modes bring what is written to the devices that hold it, and what is
// read from there, in the same way.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<5x2x2x3xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>, spmd.global_type = tensor<5x4x2x3xf32>, tf.aliasing_output = 1 : i32}
func.func @main(
    %keys: !spmd.buffer<tensor<5x4x2x3xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>},
    %values: !spmd.buffer<tensor<5x4x2x3xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>},
    %key: tensor<3x2x3xf32>, %value: tensor<3x2x3xf32>, %slots: tensor<3xi32>, %table: tensor<3xi32>,
    %query: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %key_slots = spmd.reshape_view %keys : (!spmd.buffer<tensor<5x4x2x3xf32>>) -> !spmd.buffer<tensor<20x2x3xf32>>
  %new_keys = spmd.index_view %key_slots, %slots, dim = 0 : (!spmd.buffer<tensor<20x2x3xf32>>, tensor<3xi32>) -> !spmd.buffer<tensor<3x2x3xf32>>
  spmd.store %key, %new_keys : !spmd.buffer<tensor<3x2x3xf32>>
  %value_slots = spmd.reshape_view %values : (!spmd.buffer<tensor<5x4x2x3xf32>>) -> !spmd.buffer<tensor<20x2x3xf32>>
  %new_values = spmd.index_view %value_slots, %slots, dim = 0 : (!spmd.buffer<tensor<20x2x3xf32>>, tensor<3xi32>) -> !spmd.buffer<tensor<3x2x3xf32>>
  spmd.store %value, %new_values : !spmd.buffer<tensor<3x2x3xf32>>
  %key_pages = spmd.index_view %keys, %table, dim = 0 : (!spmd.buffer<tensor<5x4x2x3xf32>>, tensor<3xi32>) -> !spmd.buffer<tensor<3x4x2x3xf32>>
  %own_keys = spmd.reshape_view %key_pages : (!spmd.buffer<tensor<3x4x2x3xf32>>) -> !spmd.buffer<tensor<12x2x3xf32>>
  %k = spmd.load %own_keys : !spmd.buffer<tensor<12x2x3xf32>>
  %value_pages = spmd.index_view %values, %table, dim = 0 : (!spmd.buffer<tensor<5x4x2x3xf32>>, tensor<3xi32>) -> !spmd.buffer<tensor<3x4x2x3xf32>>
  %own_values = spmd.reshape_view %value_pages : (!spmd.buffer<tensor<3x4x2x3xf32>>) -> !spmd.buffer<tensor<12x2x3xf32>>
  %v = spmd.load %own_values : !spmd.buffer<tensor<12x2x3xf32>>
  %scores = stablehlo.dot_general %query, %k, batching_dims = [0] x [1], contracting_dims = [1] x [2] : (tensor<2x3xf32>, tensor<12x2x3xf32>) -> tensor<2x12xf32>
  %weights = stablehlo.exponential %scores : tensor<2x12xf32>
  %out = stablehlo.dot_general %weights, %v, batching_dims = [0] x [1], contracting_dims = [1] x [0] : (tensor<2x12xf32>, tensor<12x2x3xf32>) -> tensor<2x3xf32>
  return %out : tensor<2x3xf32>
}

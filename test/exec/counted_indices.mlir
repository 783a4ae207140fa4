// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run - --json=%t.json
// RUN: FileCheck %s < %t.json
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -

// One element of each row, and of each row and layer, by indices that say which row: nothing moves
// along rows, whatever the indices hold.
// CHECK: "collectives": []
sdy.mesh @mesh = MESH

func.func public @main(
    %x: tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
    %columns: tensor<11x3x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}, {}]>},
    %layers: tensor<5x11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>},
    %updates: tensor<11x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %places: tensor<11x5x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>})
    -> (tensor<11x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
        tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>},
        tensor<5x11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>},
        tensor<11x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %rows = stablehlo.iota dim = 0 : tensor<11x3x1xi32>
  %at = stablehlo.concatenate %rows, %columns, dim = 2 : (tensor<11x3x1xi32>, tensor<11x3x1xi32>) -> tensor<11x3x2xi32>
  %picked = "stablehlo.gather"(%x, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1>}> : (tensor<11x7xi32>, tensor<11x3x2xi32>) -> tensor<11x3xi32>
  %added = "stablehlo.scatter"(%x, %at, %picked) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1],
      scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<11x3x2xi32>, tensor<11x3xi32>) -> tensor<11x7xi32>

  %row = stablehlo.iota dim = 0 : tensor<11x5x1xi32>
  %layer = stablehlo.iota dim = 1 : tensor<11x5x1xi32>
  %where = stablehlo.concatenate %places, %layer, %row, dim = 2 : (tensor<11x5x1xi32>, tensor<11x5x1xi32>, tensor<11x5x1xi32>) -> tensor<11x5x3xi32>
  %stored = "stablehlo.scatter"(%layers, %where, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1, 2],
      scatter_dims_to_operand_dims = [2, 0, 1], index_vector_dim = 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<5x11x7xi32>, tensor<11x5x3xi32>, tensor<11x5xi32>) -> tensor<5x11x7xi32>
  %read = "stablehlo.gather"(%stored, %where) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1, 2],
      start_index_map = [2, 0, 1], index_vector_dim = 2>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<5x11x7xi32>, tensor<11x5x3xi32>) -> tensor<11x5xi32>
  return %picked, %added, %stored, %read : tensor<11x3xi32>, tensor<11x7xi32>, tensor<5x11x7xi32>, tensor<11x5xi32>
}

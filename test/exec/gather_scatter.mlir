// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Rows by index: indices split, rows split, batching dims split.
sdy.mesh @mesh = MESH

func.func public @main(%table: tensor<10x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %index: tensor<5x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %batch: tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, %updates: tensor<5x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<5x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<5x2x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, tensor<10x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<10x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %rows = "stablehlo.gather"(%table, %index) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 6>}> : (tensor<10x6xi32>, tensor<5x1xi32>) -> tensor<5x6xi32>
  %each = "stablehlo.gather"(%table, %batch) <{dimension_numbers = #stablehlo.gather<operand_batching_dims = [0], collapsed_slice_dims = [1],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<10x6xi32>, tensor<10xi32>) -> tensor<10xi32>
  %pairs = "stablehlo.gather"(%table, %index) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 2, 6>}> : (tensor<10x6xi32>, tensor<5x1xi32>) -> tensor<5x2x6xi32>
  %added = "stablehlo.scatter"(%table, %index, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) : (tensor<10x6xi32>, tensor<5x1xi32>, tensor<5x6xi32>) -> tensor<10x6xi32>
  %placed = "stablehlo.scatter"(%table, %batch, %batch) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      stablehlo.return %b : tensor<i32>
  }) : (tensor<10x6xi32>, tensor<10xi32>, tensor<10xi32>) -> tensor<10x6xi32>
  return %rows, %each, %pairs, %added, %placed : tensor<5x6xi32>, tensor<10xi32>, tensor<5x2x6xi32>, tensor<10x6xi32>, tensor<10x6xi32>
}

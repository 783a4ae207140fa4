// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Several rows for each index, of dims that are split: some are a neighbour's, some out of bounds.
sdy.mesh @mesh = MESH

func.func public @main(
    %cache: tensor<3x11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}, %table: tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %token: tensor<3x1x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}]>}, %block: tensor<3x4x7xi32>, %patches: tensor<5x3x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>})
    -> (tensor<3x4x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"y"}]>}, tensor<5x3x2xi32>, tensor<3x11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>},
        tensor<3x11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %positions = stablehlo.constant dense<[[2], [9], [-4]]> : tensor<3x1xi32>
  %corners = stablehlo.constant dense<[[0, 0], [8, 5], [3, 4], [-1, 2], [9, 1]]> : tensor<5x2xi32>
  // What a batch of dynamic slices and updates becomes.
  %read = "stablehlo.gather"(%cache, %positions) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 4, 7>}>
      : (tensor<3x11x7xi32>, tensor<3x1xi32>) -> tensor<3x4x7xi32>
  %taken = "stablehlo.gather"(%table, %corners) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 2>}> : (tensor<11x7xi32>, tensor<5x2xi32>) -> tensor<5x3x2xi32>
  %appended = "stablehlo.scatter"(%cache, %positions, %token) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      stablehlo.return %b : tensor<i32>
  }) : (tensor<3x11x7xi32>, tensor<3x1xi32>, tensor<3x1x7xi32>) -> tensor<3x11x7xi32>
  %written = "stablehlo.scatter"(%cache, %positions, %block) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      stablehlo.return %b : tensor<i32>
  }) : (tensor<3x11x7xi32>, tensor<3x1xi32>, tensor<3x4x7xi32>) -> tensor<3x11x7xi32>
  %added = "stablehlo.scatter"(%table, %corners, %patches) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<5x2xi32>, tensor<5x3x2xi32>) -> tensor<11x7xi32>
  return %read, %taken, %appended, %written, %added : tensor<3x4x7xi32>, tensor<5x3x2xi32>, tensor<3x11x7xi32>, tensor<3x11x7xi32>, tensor<11x7xi32>
}

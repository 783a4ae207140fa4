// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -
// RUN: sed -e 's/MESH/<["x"=4, "y"=4]>/' -e 's/{"y"}/{"y":(2)2, "x":(1)2}/g' -e 's/{"x"}/{"x":(2)2, "y":(1)2}/g' %s | spmd-run -

// Rows by value, of dims that are split: in bounds and out of them.
sdy.mesh @mesh = MESH

func.func public @main(
    %table: tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %places: tensor<5x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
    %updates: tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
    %rows: tensor<5x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %at: tensor<i32>, %block: tensor<3x7xi32>, %long: tensor<9x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<3x2xi32>, tensor<9x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<1x1xi32>,
        tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
        tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<5x7xi32>, tensor<5x2x7xi32>,
        tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32>, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %far = stablehlo.constant dense<9> : tensor<i32>
  %few = stablehlo.dynamic_slice %table, %at, %far, sizes = [3, 2] : (tensor<11x7xi32>, tensor<i32>, tensor<i32>) -> tensor<3x2xi32>
  %most = stablehlo.dynamic_slice %table, %at, %at, sizes = [9, 7] : (tensor<11x7xi32>, tensor<i32>, tensor<i32>) -> tensor<9x7xi32>
  %one = stablehlo.dynamic_slice %table, %far, %at, sizes = [1, 1] : (tensor<11x7xi32>, tensor<i32>, tensor<i32>) -> tensor<1x1xi32>
  %written = stablehlo.dynamic_update_slice %table, %block, %at, %far : (tensor<11x7xi32>, tensor<3x7xi32>, tensor<i32>, tensor<i32>) -> tensor<11x7xi32>
  %two_dims = stablehlo.dynamic_update_slice %table, %long, %far, %at : (tensor<11x7xi32>, tensor<9x2xi32>, tensor<i32>, tensor<i32>) -> tensor<11x7xi32>
  %single = stablehlo.dynamic_update_slice %table, %one, %at, %at : (tensor<11x7xi32>, tensor<1x1xi32>, tensor<i32>, tensor<i32>) -> tensor<11x7xi32>

  %points = "stablehlo.gather"(%table, %places) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<11x7xi32>, tensor<5x2xi32>) -> tensor<5xi32>
  %wrapped = stablehlo.convert %updates : (tensor<5xi32>) -> tensor<5xui8>
  %lines = "stablehlo.gather"(%table, %wrapped) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 7>}> : (tensor<11x7xi32>, tensor<5xui8>) -> tensor<5x7xi32>
  %kept = "stablehlo.gather"(%table, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 7>}> : (tensor<11x7xi32>, tensor<5x2xi32>) -> tensor<5x2x7xi32>

  %added = "stablehlo.scatter"(%table, %places, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1],
      scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<5x2xi32>, tensor<5xi32>) -> tensor<11x7xi32>
  %least = "stablehlo.scatter"(%table, %updates, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.minimum %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<5xi32>, tensor<5x7xi32>) -> tensor<11x7xi32>
  %line = stablehlo.iota dim = 0 : tensor<5xi32>
  %third = stablehlo.constant dense<3> : tensor<5xi32>
  %spread = stablehlo.multiply %line, %third : tensor<5xi32>
  %replaced = "stablehlo.scatter"(%table, %spread, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      stablehlo.return %b : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<5xi32>, tensor<5x7xi32>) -> tensor<11x7xi32>
  return %few, %most, %one, %written, %two_dims, %single, %points, %lines, %kept, %added, %least, %replaced
      : tensor<3x2xi32>, tensor<9x7xi32>, tensor<1x1xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<5xi32>, tensor<5x7xi32>, tensor<5x2x7xi32>,
        tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>
}

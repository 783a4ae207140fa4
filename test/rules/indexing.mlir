// RUN: spmd-opt %s --spmd-check-rules=all=true --verify-diagnostics -o %t

// Rows by value, of dims that are split, in bounds and out of them.
func.func private @slices(%x: tensor<11x7xi32>, %i: tensor<i32>, %block: tensor<3x7xi32>) {
  %far = stablehlo.constant dense<9> : tensor<i32>
  %0 = stablehlo.dynamic_slice %x, %i, %far, sizes = [3, 2] : (tensor<11x7xi32>, tensor<i32>, tensor<i32>) -> tensor<3x2xi32>
  %1 = stablehlo.dynamic_slice %x, %i, %i, sizes = [9, 7] : (tensor<11x7xi32>, tensor<i32>, tensor<i32>) -> tensor<9x7xi32>
  %2 = stablehlo.dynamic_update_slice %x, %block, %i, %far : (tensor<11x7xi32>, tensor<3x7xi32>, tensor<i32>, tensor<i32>) -> tensor<11x7xi32>
  return
}

func.func private @gathers(%table: tensor<11x7xi32>, %batch: tensor<11xi32>) {
  %places = stablehlo.constant dense<[[0, 1], [10, 6], [5, 2], [-3, 4], [20, 9]]> : tensor<5x2xi32>
  %rows = "stablehlo.gather"(%table, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0],
      start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 7>}> : (tensor<11x7xi32>, tensor<5x2xi32>) -> tensor<5x2x7xi32>
  %points = "stablehlo.gather"(%table, %places) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<11x7xi32>, tensor<5x2xi32>) -> tensor<5xi32>
  %windows = "stablehlo.gather"(%table, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 3, 7>}> : (tensor<11x7xi32>, tensor<5x2xi32>) -> tensor<5x3x7xi32>
  %batched_windows = "stablehlo.gather"(%table, %batch) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], operand_batching_dims = [0],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}>
      : (tensor<11x7xi32>, tensor<11xi32>) -> tensor<11x3xi32>
  %most = "stablehlo.gather"(%table, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 9, 2>}> : (tensor<11x7xi32>, tensor<5x2xi32>) -> tensor<5x9x2xi32>
  %mixed = "stablehlo.gather"(%table, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [1],
      start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 4, 1>}> : (tensor<11x7xi32>, tensor<5x2xi32>) -> tensor<5x4xi32>
  %each = "stablehlo.gather"(%table, %batch) <{dimension_numbers = #stablehlo.gather<operand_batching_dims = [0], collapsed_slice_dims = [1],
      start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}>
      : (tensor<11x7xi32>, tensor<11xi32>) -> tensor<11xi32>
  return
}

func.func private @selections(%x: tensor<5x7xi32>, %y: tensor<7x6xi32>) {
  %index = stablehlo.constant dense<[[0, 6, 3], [1, 1, 2], [5, 4, 0], [2, 6, 6], [3, 3, 1]]> : tensor<5x3xi32>
  %0 = "stablehlo.torch_index_select"(%x, %index) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<5x7xi32>, tensor<5x3xi32>) -> tensor<5x3xi32>
  %1 = "stablehlo.torch_index_select"(%y, %index) <{batch_dims = 0 : i64, dim = 0 : i64}> : (tensor<7x6xi32>, tensor<5x3xi32>) -> tensor<5x3x6xi32>
  return
}

func.func private @scatters(%table: tensor<11x7xi32>, %updates: tensor<5xi32>, %rows: tensor<5x7xi32>, %batch: tensor<11xi32>, %blocks: tensor<5x3x7xi32>, %column: tensor<11x1xi32>) {
  %places = stablehlo.constant dense<[[0, 1], [10, 6], [5, 2], [0, 1], [11, 3]]> : tensor<5x2xi32>
  %lines = stablehlo.constant dense<[0, 3, 7, 10, 12]> : tensor<5xi32>
  %added = "stablehlo.scatter"(%table, %places, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1],
      scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<5x2xi32>, tensor<5xi32>) -> tensor<11x7xi32>
  %replaced = "stablehlo.scatter"(%table, %lines, %rows) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      stablehlo.return %b : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<5xi32>, tensor<5x7xi32>) -> tensor<11x7xi32>
  %placed = "stablehlo.scatter"(%table, %batch, %batch) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  })
      : (tensor<11x7xi32>, tensor<11xi32>, tensor<11xi32>) -> tensor<11x7xi32>
  %windows = "stablehlo.scatter"(%table, %lines, %blocks) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2],
      scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<5xi32>, tensor<5x3x7xi32>) -> tensor<11x7xi32>
  %token = "stablehlo.scatter"(%table, %batch, %column) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      input_batching_dims = [0], scatter_indices_batching_dims = [0], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      stablehlo.return %b : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<11xi32>, tensor<11x1xi32>) -> tensor<11x7xi32>
  return
}

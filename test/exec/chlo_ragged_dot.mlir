// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Ragged dots of all modes, with each kind of dim split, unevenly: rows, groups, batches, what is summed over. Groups
// may be empty, and need not cover all rows.
sdy.mesh @mesh = MESH

// The ragged dim is free: rows meet the slice of their group.
func.func private @rows(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %sizes: tensor<3xi64>) -> tensor<11x7xf32> {
  %0 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

func.func public @main(
    %lhs: tensor<11x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %whole: tensor<11x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
    %rhs: tensor<3x5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
    %batched: tensor<2x11x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {"x"}]>},
    %batchedRhs: tensor<3x2x5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}, {}]>},
    %columns: tensor<2x5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>})
    -> (tensor<11x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<11x7xf32>, tensor<11x7xf32>,
        tensor<2x11x7xf32>, tensor<2x11x7xf32>,
        tensor<3x2x11x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}, {}]>}, tensor<4x2x11x7xf32>,
        tensor<2x11x7xf32>) {
  %sizes = stablehlo.constant dense<[4, 0, 5]> : tensor<3xi64>
  %all = stablehlo.constant dense<[3, 1, 7]> : tensor<3xi64>
  %0 = call @rows(%lhs, %rhs, %sizes) : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  // Only the groups are split: each device has a share of every row.
  %1 = call @rows(%whole, %rhs, %all) : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  // Only the rows are split.
  %split = sdy.sharding_constraint %whole <@mesh, [{"y", "x"}, {}]> : tensor<11x5xf32>
  %whole_rhs = sdy.sharding_constraint %rhs <@mesh, [{}, {}, {}]> : tensor<3x5x7xf32>
  %2 = call @rows(%split, %whole_rhs, %all) : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  // With batches; the sizes may vary over them.
  %3 = "chlo.ragged_dot"(%batched, %batchedRhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}>
      : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  %varying = stablehlo.constant dense<[[4, 0, 7], [1, 2, 3]]> : tensor<2x3xi32>
  %4 = "chlo.ragged_dot"(%batched, %batchedRhs, %varying) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}>
      : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi32>) -> tensor<2x11x7xf32>
  // The ragged dim is summed over: a product for each group.
  %short = stablehlo.constant dense<[2, 0, 3]> : tensor<3xi32>
  %5 = "chlo.ragged_dot"(%batched, %columns, %short) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}>
      : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<3xi32>) -> tensor<3x2x11x7xf32>
  %beyond = stablehlo.constant dense<[[2, 1, 1, 4], [0, 1, 0, 3]]> : tensor<2x4xi32>
  %6 = "chlo.ragged_dot"(%batched, %columns, %beyond) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}>
      : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<2x4xi32>) -> tensor<4x2x11x7xf32>
  // The ragged dim is a batch: the plain product.
  %one = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %7 = "chlo.ragged_dot"(%batched, %columns, %one) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0]>}>
      : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<2xi32>) -> tensor<2x11x7xf32>
  return %0, %1, %2, %3, %4, %5, %6, %7
      : tensor<11x7xf32>, tensor<11x7xf32>, tensor<11x7xf32>, tensor<2x11x7xf32>, tensor<2x11x7xf32>,
        tensor<3x2x11x7xf32>, tensor<4x2x11x7xf32>, tensor<2x11x7xf32>
}

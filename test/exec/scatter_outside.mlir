// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=1, "y"=8]>/' %s | spmd-run -

// Rows are split; the windows in them begin before the first column, and reach into the matrix or do not.
sdy.mesh @mesh = MESH

func.func public @main(
    %matrix: tensor<5x11xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %updates: tensor<6x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<5x11xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %corners = stablehlo.constant dense<[[0, -3], [1, -6], [4, -7], [3, 10], [-1, 2], [2, -2147483648]]> : tensor<6x2xi32>
  %added = "stablehlo.scatter"(%matrix, %corners, %updates) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %sum = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %sum : tensor<i32>
  }) : (tensor<5x11xi32>, tensor<6x2xi32>, tensor<6x7xi32>) -> tensor<5x11xi32>
  return %added : tensor<5x11xi32>
}

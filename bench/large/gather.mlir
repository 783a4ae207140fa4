// A million rows of 64, from all over a table.
module @gather {
  func.func public @main(%table: tensor<65536x64xf32>) -> tensor<1048576x64xf32> {
    %0 = stablehlo.iota dim = 0 : tensor<1048576x1xi32>
    %stride = stablehlo.constant dense<40503> : tensor<1048576x1xi32>
    %last = stablehlo.constant dense<65535> : tensor<1048576x1xi32>
    %1 = stablehlo.multiply %0, %stride : tensor<1048576x1xi32>
    %rows = stablehlo.and %1, %last : tensor<1048576x1xi32>
    %2 = "stablehlo.gather"(%table, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 64>}> : (tensor<65536x64xf32>, tensor<1048576x1xi32>) -> tensor<1048576x64xf32>
    return %2 : tensor<1048576x64xf32>
  }
}

sdy.mesh @mesh = <["data"=2, "model"=4]>

func.func @main(
    %rows: tensor<4096xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>},
    %table: tensor<8192x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>},
    %up: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
    %down: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>},
    %extra: tensor<12x10xf32>) -> (tensor<4096x64xf32>, tensor<12x10xf32>) {
  %0 = "stablehlo.gather"(%table, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<8192x64xf32>, tensor<4096xi32>) -> tensor<4096x64xf32>
  %1 = stablehlo.dot_general %0, %up, contracting_dims = [1] x [0] : (tensor<4096x64xf32>, tensor<64x256xf32>) -> tensor<4096x256xf32>
  %2 = stablehlo.tanh %1 : tensor<4096x256xf32>
  %3 = stablehlo.dot_general %2, %down, contracting_dims = [1] x [0] : (tensor<4096x256xf32>, tensor<256x64xf32>) -> tensor<4096x64xf32>
  %4 = stablehlo.add %0, %3 : tensor<4096x64xf32>
  %5 = stablehlo.tanh %extra : tensor<12x10xf32>
  return %4, %5 : tensor<4096x64xf32>, tensor<12x10xf32>
}

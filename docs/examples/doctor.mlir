sdy.mesh @mesh = <["tp"=4]>

func.func @main(
    %x: tensor<8x6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {}]>},
    %w: tensor<16x30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>}) -> (tensor<48x30xf32>, tensor<8x6x16xf32>) {
  %0 = sdy.sharding_constraint %x <@mesh, [{"tp"}, {}, {}]> : tensor<8x6x16xf32>
  %1 = stablehlo.custom_call @fused_norm(%0) : (tensor<8x6x16xf32>) -> tensor<8x6x16xf32>
  %2 = stablehlo.reshape %x : (tensor<8x6x16xf32>) -> tensor<48x16xf32>
  %3 = stablehlo.dot_general %2, %w, contracting_dims = [1] x [0] : (tensor<48x16xf32>, tensor<16x30xf32>) -> tensor<48x30xf32>
  return %3, %1 : tensor<48x30xf32>, tensor<8x6x16xf32>
}

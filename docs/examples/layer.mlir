sdy.mesh @mesh = <["data"=8, "model"=8]>

func.func @main(
    %x: tensor<65536x4096xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %up: tensor<4096x16384xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>},
    %down: tensor<16384x4096xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>}) -> (tensor<65536x4096xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %up, contracting_dims = [1] x [0] : (tensor<65536x4096xbf16>, tensor<4096x16384xbf16>) -> tensor<65536x16384xbf16>
  %1 = stablehlo.tanh %0 : tensor<65536x16384xbf16>
  %2 = stablehlo.dot_general %1, %down, contracting_dims = [1] x [0] : (tensor<65536x16384xbf16>, tensor<16384x4096xbf16>) -> tensor<65536x4096xbf16>
  return %2 : tensor<65536x4096xbf16>
}

sdy.mesh @mesh = <["data"=2, "model"=4]>
func.func @main(%x: tensor<16x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}) -> tensor<16x24xf32> {
  %0 = sdy.all_gather [{}, {"model"}] %x out_sharding=<@mesh, [{"data"}, {}]> : tensor<16x24xf32>
  %1 = stablehlo.tanh %0 : tensor<16x24xf32>
  %2 = sdy.named_computation<"scale">(%1) out_shardings=[<@mesh, [{"data"}, {}]>] (%y: tensor<16x24xf32>) {
    %3 = stablehlo.add %y, %y : tensor<16x24xf32>
    sdy.return %3 : tensor<16x24xf32>
  } : (tensor<16x24xf32>) -> tensor<16x24xf32>
  return %2 : tensor<16x24xf32>
}

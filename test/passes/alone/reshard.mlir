// As spmd-reshard leaves it, without an op of StableHLO.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = sdy.reshard %x <@mesh, [{}]> : tensor<7xf32>
  return %0 : tensor<7xf32>
}

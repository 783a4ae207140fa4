sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"x"}>}) -> (tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %x : tensor<7xf32>
}

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, spmd.global_type = tensor<8xf32>})
    -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, spmd.global_type = tensor<8xf32>}) {
  return %x : tensor<4xf32>
}

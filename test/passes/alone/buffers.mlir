sdy.mesh @mesh = <["x"=2]>
func.func @main(%b: !spmd.buffer<tensor<8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %t: tensor<8xf32>) {
  spmd.store %t, %b : !spmd.buffer<tensor<8xf32>>
  return
}

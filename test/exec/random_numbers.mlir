// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -

// Each device makes all the numbers and takes its part, so that they are those of the whole program.
sdy.mesh @mesh = MESH

func.func public @main(%seed: tensor<2xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<2xui64>, tensor<7x4xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<5xui64> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  %state, %bits = stablehlo.rng_bit_generator %seed, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7x4xui32>)
  %next, %more = stablehlo.rng_bit_generator %state, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<5xui64>)
  return %next, %bits, %more : tensor<2xui64>, tensor<7x4xui32>, tensor<5xui64>
}

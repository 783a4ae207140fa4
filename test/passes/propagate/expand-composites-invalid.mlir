// RUN: spmd-opt %s --spmd-propagate --spmd-expand-composites --verify-diagnostics --split-input-file

sdy.mesh @mesh = <["x"=2]>

func.func @made_of_itself(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  // expected-error @below {{'stablehlo.composite' op is made of @first, which comes back to itself; recursion has no sharding}}
  %0 = stablehlo.composite "my.first" %a {decomposition = @first, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @first(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = call @second(%a) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @second(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.composite "my.first" %a {decomposition = @first, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// RUN: spmd-opt %s --spmd-pipeline --verify-diagnostics

// An attribute that must count a device's part, and that the devices do not divide.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-error @below {{'stablehlo.custom_call' op has no integer attribute 'n' that 2 divides, which its rule makes local; split it otherwise}}
  %0 = stablehlo.custom_call @f(%x) {n = 3 : i64, spmd.rule = {dims = "([i])->([i])", local = [{attribute = "n", factor = "i"}]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RUN: spmd-opt %s --spmd-pipeline --verify-diagnostics --split-input-file

// An attribute that must count a device's part, and that the devices do not divide.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-remark @below {{is split by a rule that is not checked}}
  // expected-error @below {{'stablehlo.custom_call' op has 3 : i64 as attribute 'n', which its rule makes local, and 2 does not divide; split it otherwise}}
  %0 = stablehlo.custom_call @f(%x) {n = 3 : i64, spmd.rule = {dims = "([i])->([i])", local = [{attribute = "n", factor = "i"}]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// One that the call does not have.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-remark @below {{is split by a rule that is not checked}}
  // expected-error @below {{'stablehlo.custom_call' op has no integer attribute 'n', which its rule makes local; give it one, or take it out of the rule}}
  %0 = stablehlo.custom_call @f(%x) {m = 4 : i64, spmd.rule = {dims = "([i])->([i])", local = [{attribute = "n", factor = "i"}]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

// One that may be in a configuration that nobody can read.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-remark @below {{is split by a rule that is not checked}}
  // expected-error @below {{'stablehlo.custom_call' op has no integer attribute 'n', which its rule makes local, and its backend_config is neither JSON nor a dictionary of MLIR; give it one, or take it out of the rule}}
  %0 = stablehlo.custom_call @f(%x) {backend_config = "n=4", spmd.rule = {dims = "([i])->([i])", local = [{attribute = "n", factor = "i"}]}} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

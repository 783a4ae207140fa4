// RUN: spmd-opt %s --spmd-reshard --verify-diagnostics --split-input-file -o %t
// A condition on an attribute that the call lacks is unknown: the call is replicated, with a warning.

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-warning @below {{'stablehlo.custom_call' op @f has a rule that does not split it where 'keep_prob' is unknown; every device runs it whole}}
  // expected-note @below {{operand 0 has sharding [{"x"}]}}
  // expected-note @below {{the call has no attribute 'keep_prob'; give it one, or write into the condition what the op takes without it: default: "1.0"}}
  %0 = stablehlo.custom_call @f(%x) {backend_config = "{\22scale\22: 1}", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, spmd.rule = {dims = "([i])->([i])", only_if = [{attribute = "keep_prob", is = ["1.0"]}]}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// The same for a condition that forbids splitting.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-warning @below {{'stablehlo.custom_call' op @f has a rule that does not split it where 'varlen' is unknown; every device runs it whole}}
  // expected-note @below {{operand 0 has sharding [{"x"}]}}
  // expected-note @below {{the call has no attribute 'varlen', and its backend_config is neither JSON nor a dictionary of MLIR; give it one, or write into the condition what the op takes without it: default: "false"}}
  %0 = stablehlo.custom_call @f(%x) {backend_config = "varlen", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, spmd.rule = {dims = "([i])->([i])", unless = [{attribute = "varlen"}]}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// A default of the condition is known. If it forbids splitting, the warning says that the rule has it.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-warning @below {{'stablehlo.custom_call' op @f has a rule that does not split it where 'keep_prob' is 0.5, which the rule takes for a call without it; every device runs it whole}}
  // expected-note @below {{operand 0 has sharding [{"x"}]}}
  %0 = stablehlo.custom_call @f(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, spmd.rule = {dims = "([i])->([i])", only_if = [{attribute = "keep_prob", is = ["1.0"], default = "0.5"}]}} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @f(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, spmd.rule = {dims = "([i])->([i])", only_if = [{attribute = "keep_prob", is = ["1.0"], default = "1.0"}], unless = [{attribute = "varlen", default = "false"}]}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// Fields of JSON decide. A null field counts as absent.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-warning @below {{'stablehlo.custom_call' op @f has a rule that does not split it where 'keep_prob' is 0.9; every device runs it whole}}
  // expected-note @below {{operand 0 has sharding [{"x"}]}}
  %0 = stablehlo.custom_call @f(%x) {backend_config = "{\22keep_prob\22: 0.9}", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, spmd.rule = {dims = "([i])->([i])", only_if = [{attribute = "keep_prob", is = ["1.0"]}]}} : (tensor<8xf32>) -> tensor<8xf32>
  %1 = stablehlo.custom_call @f(%x) {backend_config = "{\22keep_prob\22: 1, \22varlen\22: null}", sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, spmd.rule = {dims = "([i])->([i])", only_if = [{attribute = "keep_prob", is = ["1.0"]}], unless = [{attribute = "varlen"}]}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A condition on some factors leaves the others split.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // expected-warning @below {{'stablehlo.custom_call' op @f has a rule that does not split all of it where 'layout' is unknown; what it leaves out stays whole}}
  // expected-note @below {{the call has no attribute 'layout'; give it one, or write into the condition what the op takes without it: default: ".."}}
  %0 = stablehlo.custom_call @f(%x) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, spmd.rule = {dims = "([i, j])->([i, j])", unless = [{attribute = "layout", is = ["TND"], factors = ["j"]}]}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

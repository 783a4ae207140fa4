// RUN: spmd-opt %s --spmd-reshard=on-no-rule=error --verify-diagnostics --split-input-file

// Each value without a sharding is reported before the pass fails.
sdy.mesh @mesh = <["x"=2]>
// expected-error @below {{argument 0 of @main has no sharding; annotate it or set on-missing=replicate}}
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  // expected-error @below {{'stablehlo.negate' op result 0 has no sharding; annotate it or set on-missing=replicate}}
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

// -----

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-error @below {{'stablehlo.custom_call' op @unheard_of has no sharding rule; give it one in a plan, or set on-no-rule=replicate}}
  // expected-note @below {{operand 0 has sharding [{"x"}]}}
  // expected-note @below {{a rule to begin with, for a plan: rule { target: "unheard_of" rule: "([i])->([i])" }; take letters out of need_replication where the op can be split, and put i in, which is taken for a batch, if it is none}}
  %0 = stablehlo.custom_call @unheard_of(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

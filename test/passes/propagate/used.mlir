// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics --split-input-file

// An argument that a public function does not read is still given to it.
sdy.mesh @mesh = <["x"=2]>
// expected-note @below {{to split it, write: %b: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}}}
// expected-warning @below {{argument 1 of @main has no sharding; annotate it or set on-missing=replicate}}
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<6xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// -----

// What goes out by an effect matters, and what only goes to an argument that nobody reads does not.
sdy.mesh @mesh = <["x"=2]>
// expected-note @below {{made of what lies as [{"x"}, {}], 1 op before}}
func.func @main(%a: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x4xf32> {
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %0 <@mesh, [{"x"}, {?}]> : tensor<4x4xf32>}}
  // expected-warning @below {{'stablehlo.cholesky' op result 0 has no sharding; annotate it or set on-missing=replicate}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<4x4xf32>
  // expected-note @below {{used by 'func.call' as operand 0 here}}
  call @send(%0) : (tensor<4x4xf32>) -> ()
  %1 = stablehlo.cholesky %a, lower = false : tensor<4x4xf32>
  call @drop(%1) : (tensor<4x4xf32>) -> ()
  return %a : tensor<4x4xf32>
}
// expected-note @below {{to split it, write}}
// expected-warning @below {{argument 0 of @send has no sharding; annotate it or set on-missing=replicate}}
func.func private @send(%a: tensor<4x4xf32>) {
  // expected-note @below {{used by 'stablehlo.custom_call' as operand 0 here}}
  stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<4x4xf32>) -> ()
  return
}
func.func private @drop(%a: tensor<4x4xf32>) {
  return
}

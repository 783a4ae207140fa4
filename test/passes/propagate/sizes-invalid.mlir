// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics --split-input-file
// RUN: spmd-opt %s --spmd-pipeline=on-missing=replicate --verify-diagnostics --split-input-file

// The product of the dims overflows; every value is named.
sdy.mesh @mesh = <["x"=3]>
// expected-error @below {{argument 0 of @main has type 'tensor<4611686018427387904x4x8xi32>'; at most 2^56 elements are supported}}
func.func public @main(%a: tensor<4611686018427387904x4x8xi32>) -> tensor<4611686018427387904x4x8xi32> {
  // expected-error @below {{'stablehlo.add' op result 0 has type 'tensor<4611686018427387904x4x8xi32>'; at most 2^56 elements are supported}}
  %0 = stablehlo.add %a, %a : tensor<4611686018427387904x4x8xi32>
  return %0 : tensor<4611686018427387904x4x8xi32>
}

// -----

// A dim that padding would overflow.
sdy.mesh @mesh = <["x"=3]>
// expected-error @below {{argument 0 of @main has type 'tensor<9223372036854775807xi8>'; at most 2^56 elements are supported}}
func.func public @main(%a: tensor<9223372036854775807xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<9223372036854775807xi8> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  return %a : tensor<9223372036854775807xi8>
}

// -----

// The largest there is.
sdy.mesh @mesh = <["x"=3]>
func.func public @main(%a: tensor<72057594037927936xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<72057594037927936xi8> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  return %a : tensor<72057594037927936xi8>
}

// What a program is partitioned by is checked before it is.
// RUN: spmd-opt %s --spmd-pipeline --verify-diagnostics --split-input-file -o %t
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false --verify-diagnostics --split-input-file -o %t

// Each device takes its rows the other way round, and keeps its place.
sdy.mesh @mesh = <["x"=2]>
func.func private @reverse(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @main(%x: tensor<4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4096xf32> {
  // expected-error @below {{'stablehlo.custom_call' op rule ([i])->([i]) {i=4}, custom is false: with i over "x" on <["x"=2]>, device 0 gives}}
  // expected-note @below {{operand 0 is tensor<4xf32>, [{"x"}]}}
  // expected-note @below {{result 0 is tensor<4xf32>, [{"x"}]}}
  %0 = stablehlo.custom_call @flip(%x) {spmd.reference = @reverse, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4096}, custom>} : (tensor<4096xf32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// -----

// A rule in our own words, twice: an op like another is checked once.
sdy.mesh @mesh = <["x"=2]>
func.func private @reverse(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.reverse %x, dims = [0] : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @main(%x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<6xf32> {
  // expected-error @below {{is false: with i over "x" on <["x"=2]>, device 0 gives}}
  // expected-note @below {{operand 0 is tensor<6xf32>, [{"x"}]}}
  // expected-note @below {{result 0 is tensor<6xf32>, [{"x"}]}}
  %0 = stablehlo.custom_call @flip(%x) {spmd.reference = @reverse, spmd.rule = {dims = "([i])->([i])"}} : (tensor<6xf32>) -> tensor<6xf32>
  %1 = stablehlo.custom_call @flip(%0) {spmd.reference = @reverse, spmd.rule = {dims = "([i])->([i])"}} : (tensor<6xf32>) -> tensor<6xf32>
  return %1 : tensor<6xf32>
}

// -----

// Of a buffer, what is in it.
sdy.mesh @mesh = <["x"=2]>
func.func private @add_reversed(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.reverse %y, dims = [0] : tensor<?xf32>
  %1 = stablehlo.add %x, %0 : tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func @main(%b: !spmd.buffer<tensor<6xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %x: tensor<6xf32>) {
  // expected-error @below {{is false: with i over "x" on <["x"=2]>, device 0 gives}}
  // expected-note @below {{operand 0 is tensor<6xf32>, [{"x"}]}}
  // expected-note @below {{operand 1 is tensor<6xf32>, [{"x"}]}}
  // expected-note @below {{result 0 is tensor<6xf32>, [{"x"}]}}
  stablehlo.custom_call @accumulate(%b, %x) {spmd.reference = @add_reversed, spmd.writes = array<i64: 0>, spmd.rule = {dims = "([i], [i])->([i])"}} : (!spmd.buffer<tensor<6xf32>>, tensor<6xf32>) -> ()
  return
}

// -----

// Rows of the result are none of the operand's columns, whatever the rule says: it does not say `custom`, and is used.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  // expected-error @below {{'stablehlo.abs' op rule ([i, j])->([j, i]) {i=8, j=8} is false: with i over "x" on <["x"=2]>, device 0 needs more of operand 0 than it holds}}
  // expected-note @below {{operand 0 is tensor<8x8xf32>, [{"x"}, {}]}}
  // expected-note @below {{result 0 is tensor<8x8xf32>, [{}, {"x"}]}}
  %0 = stablehlo.abs %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([j, i]) {i=8, j=8}>} : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Of what is known of a product nothing is tried again; what is claimed beyond it is.
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x8xf32> {
  // expected-error @below {{'stablehlo.dot_general' op rule ([i, k], [j, i])->([i, j]) {i=8, j=8, k=8} need_replication={k}, custom is false: with}}
  // expected-note @below {{operand 0 is}}
  // expected-note @below {{operand 1 is}}
  // expected-note @below {{result 0 is}}
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [j, i])->([i, j]) {i=8, j=8, k=8}, custom>} : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

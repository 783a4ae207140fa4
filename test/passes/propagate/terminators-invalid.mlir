// Each stage that may come first refuses a function that does not return.
// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics
// RUN: spmd-opt %s --spmd-pipeline --verify-diagnostics
// RUN: spmd-opt %s --spmd-reshard --verify-diagnostics
// RUN: spmd-opt %s --spmd-partition --verify-diagnostics

sdy.mesh @mesh = <["x"=2]>
func.func @other_terminator(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-error@below {{'stablehlo.return' op ends a function; expected 'func.return'}}
  stablehlo.return %x : tensor<4xf32>
}

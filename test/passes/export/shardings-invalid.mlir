// RUN: spmd-opt %s --split-input-file --spmd-export-shardings --verify-diagnostics

sdy.mesh @mesh = <["x"=2]>
// expected-error @below {{has a value that is partial by product, which this form cannot say; use form=v3}}
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced=product{"x"}>}) -> tensor<8xf32> {
  return %x : tensor<8xf32>
}

// -----

func.func @barrier(%x: tensor<8xf32>) -> tensor<8xf32> {
  // expected-warning @below {{'sdy.propagation_barrier' that stops both directions has no form but form=shardy; left out}}
  %0 = sdy.propagation_barrier %x allowed_direction=NONE : tensor<8xf32>
  return %0 : tensor<8xf32>
}

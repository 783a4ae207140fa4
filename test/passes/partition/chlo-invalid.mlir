// RUN: spmd-opt %s --spmd-verify-partitioned --verify-diagnostics

// What partitioning leaves is not yet plain StableHLO.
func.func public @function(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {
  // expected-error@below {{'chlo.atan' op is no plain StableHLO; run spmd-legalize-chlo}}
  %0 = chlo.atan %x : tensor<2x3xf32> -> tensor<2x3xf32>
  return %0 : tensor<2x3xf32>
}

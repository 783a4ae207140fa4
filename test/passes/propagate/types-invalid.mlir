// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics --split-input-file

sdy.mesh @mesh = <["x"=2]>
// expected-error@below {{type 'tensor<2x4x!quant.uniform<i8:f32:1, {1.000000e-01,2.000000e-01,3.000000e-01,4.000000e-01}>>' has scales along a dim and cannot be sharded; leave it whole}}
func.func @scales_along_a_dim(%x: tensor<2x4x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3, 0.4}>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  return
}

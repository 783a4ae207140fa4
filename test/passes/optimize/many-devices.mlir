// RUN: not spmd-opt %s --spmd-pipeline 2>&1 | FileCheck %s --check-prefix=DENSE
// DENSE: error: 'stablehlo.all_reduce' op is in groups of 2147483647 devices, of which groups=dense lists each, and at most 4194304; use groups=mesh-axes
// RUN: spmd-opt %s --spmd-pipeline=groups=mesh-axes | FileCheck %s --check-prefix=AXES
// AXES: mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>

// Nothing takes time or memory for each device, unless the form asks for it.
sdy.mesh @mesh = <["x"=2147483647]>
func.func @main(%x: tensor<4294967294x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<3xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4294967294x3xf32>, tensor<f32>) -> tensor<3xf32>
  return %sum : tensor<3xf32>
}

// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL

// A call that changes its first operand in place: what it gives lies as that did, and the alias stays.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func private @add_to(%cache: tensor<?x?xf32>, %new: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %cache, %new : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
// CHECK-LABEL: func.func @main
// CHECK-SAME: %arg0: tensor<2x3xf32> {{{.*}}tf.aliasing_output = 0 : i32
// CHECK: stablehlo.custom_call @add_to(%arg0, %{{.*}}) {{{.*}}output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]{{.*}}} : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>
// EQUAL: equal: {{ *}}yes
func.func @main(%cache: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, tf.aliasing_output = 0 : i32}, %new: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %0 = stablehlo.custom_call @add_to(%cache, %new) {spmd.reference = @add_to,
      output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>],
      spmd.rule = {dims = "([i, j], [i, j])->([i, j])"}} : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

// RUN: spmd-opt %s --spmd-pipeline --verify-diagnostics

// Split rows are masked by their place, with a zero that this type does not have.
sdy.mesh @mesh = <["x"=2]>
func.func public @main(%l: tensor<2x4xf8E8M0FNU> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                       %r: tensor<2x4xf8E8M0FNU> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                       %g: tensor<1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<1x2x2xf8E8M0FNU> {
  // expected-error@below {{'chlo.ragged_dot' op has rows or groups split and element type 'f8E8M0FNU', which has no zero to mask with}}
  %0 = "chlo.ragged_dot"(%l, %r, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1]>}>
      : (tensor<2x4xf8E8M0FNU>, tensor<2x4xf8E8M0FNU>, tensor<1xi32>) -> tensor<1x2x2xf8E8M0FNU>
  return %0 : tensor<1x2x2xf8E8M0FNU>
}

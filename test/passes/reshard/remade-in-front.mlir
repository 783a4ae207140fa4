// RUN: spmd-opt %s --spmd-propagate --spmd-reshard | FileCheck %s
// RUN: spmd-run %s

// What is made of nothing but constants is made anew as its reader wants it, and so is what that is made of. Both read one value,
// which is brought before the first of them, though the other asked for it earlier.
sdy.mesh @mesh = <["y"=2]>

// CHECK-LABEL: func.func @main
// CHECK: %[[SOLVED:.*]] = "stablehlo.triangular_solve"
// CHECK: %[[MOVED:.*]] = sdy.reshard %[[SOLVED]]
// CHECK: %[[FIRST:.*]] = stablehlo.tanh %[[MOVED]]
// CHECK: stablehlo.add %[[MOVED]], %[[FIRST]]
func.func @main() -> (tensor<2x1x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}, {?}]>}) {
  %a = stablehlo.constant dense<0.0> : tensor<2x1x1xf32>
  %solved = "stablehlo.triangular_solve"(%a, %a) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = true}> : (tensor<2x1x1xf32>, tensor<2x1x1xf32>) -> tensor<2x1x1xf32>
  %first = stablehlo.tanh %solved : tensor<2x1x1xf32>
  %sum = stablehlo.add %solved, %first {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}, {}]>]>} : tensor<2x1x1xf32>
  return %sum : tensor<2x1x1xf32>
}

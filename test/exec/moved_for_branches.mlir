// RUN: spmd-run %s | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate --spmd-reshard 2>/dev/null | FileCheck %s --check-prefix=MOVES
// CHECK: equal: {{ *}}yes

// What is brought for an op behind a branch serves one inside, which is decided once more after all have been: it goes before
// the branch.
sdy.mesh @mesh = <["x"=3]>
sdy.mesh @other = <["u"=3]>
// MOVES-LABEL: func.func public @main
// MOVES: %[[BROUGHT:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}]>
// MOVES: "stablehlo.case"
// MOVES-NEXT: stablehlo.subtract %[[BROUGHT]], %[[BROUGHT]]
// MOVES: stablehlo.add %[[BROUGHT]]
func.func public @main(%arg0: tensor<7xi32> {sdy.sharding = #sdy.sharding<@other, [{}]>}, %arg1: tensor<i32>) -> (tensor<7xi32>, tensor<7xi32>) {
  %0 = "stablehlo.case"(%arg1) ({
    %3 = stablehlo.subtract %arg0, %arg0 : tensor<7xi32>
    stablehlo.return %3 : tensor<7xi32>
  }, {
    stablehlo.return %arg0 : tensor<7xi32>
  }) : (tensor<i32>) -> tensor<7xi32>
  %1 = stablehlo.add %arg0, %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : tensor<7xi32>
  %2 = stablehlo.shift_left %0, %1 : tensor<7xi32>
  return %1, %2 : tensor<7xi32>, tensor<7xi32>
}

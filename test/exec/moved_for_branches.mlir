// RUN: spmd-run %s | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate --spmd-reshard | FileCheck %s --check-prefix=MOVES
// CHECK: all_to_all {{ *}}1 {{ *}}128 {{ *}}96
// CHECK: equal: {{ *}}yes

// Both branches and an op behind them read a value in one layout: one move before the branch serves all of them.
sdy.mesh @mesh = <["x"=4]>
// MOVES-LABEL: func.func public @main
// MOVES: sdy.reshard %arg0 <@mesh, [{}, {"x"}]>
// MOVES: "stablehlo.case"
// MOVES-NOT: sdy.reshard
func.func public @main(%a: tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %i: tensor<i32>)
    -> (tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<8x16xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = "stablehlo.case"(%i) ({
    %3 = stablehlo.subtract %a, %a : tensor<8x16xi32>
    stablehlo.return %3 : tensor<8x16xi32>
  }, {
    stablehlo.return %a : tensor<8x16xi32>
  }) : (tensor<i32>) -> tensor<8x16xi32>
  %1 = stablehlo.add %a, %0 : tensor<8x16xi32>
  %2 = stablehlo.shift_left %0, %1 : tensor<8x16xi32>
  return %1, %2 : tensor<8x16xi32>, tensor<8x16xi32>
}

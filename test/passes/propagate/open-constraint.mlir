// RUN: spmd-opt %s --spmd-propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate --spmd-reshard | FileCheck %s --check-prefix=MOVES

sdy.mesh @mesh = <["x"=4, "y"=2]>

// What a constraint leaves open lies as propagation says, and is not brought anywhere for it, however many read it.
// CHECK-LABEL: func @open_dim
// CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"x", ?}, {}]>
// MOVES-LABEL: func @open_dim
// MOVES-NOT: sdy.reshard
// MOVES: return
func.func @open_dim(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<8x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.add %a, %a : tensor<8x6xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{?}, {}]> : tensor<8x6xf32>
  %2 = stablehlo.slice %1 [0:8, 1:4] : (tensor<8x6xf32>) -> tensor<8x3xf32>
  return %1, %2 : tensor<8x6xf32>, tensor<8x3xf32>
}

// What it closes stays as it is written.
// CHECK-LABEL: func @closed_dims
// CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{}, {"y"}]>
func.func @closed_dims(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x6xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{}, {"y"}]> : tensor<8x6xf32>
  %1 = stablehlo.add %0, %a : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// RUN: spmd-opt %s --spmd-legalize-chlo=keep-functions --spmd-propagate --spmd-expand-composites -o %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate --spmd-expand-composites | diff %t.mlir -
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %s --spmd-pipeline="stop-after=propagate conflicts=shardy" -o %t.shardy.mlir
// RUN: spmd-opt %t.shardy.mlir --spmd-propagate="conflicts=shardy on-missing=replicate" --spmd-expand-composites="conflicts=shardy on-missing=replicate" | diff %t.shardy.mlir -
// RUN: spmd-opt %t.mlir --spmd-pipeline=stop-after=reshard | FileCheck %s --check-prefix=RESHARDED
// RUN: spmd-opt %t.mlir --spmd-reshard=on-missing=replicate | FileCheck %s --check-prefix=RESHARDED
// RUN: spmd-opt %t.mlir --spmd-export-shardings | FileCheck %s --check-prefix=RESHARDED

// The call that a composite becomes keeps its rule: axes pass by that, and nothing flows back from the function, when propagation
// runs again. Behind reshard it has no further use.
// RESHARDED-NOT: spmd.composite_rule
sdy.mesh @mesh = <["x"=2, "y"=3]>
// What comes out is whole in the program where the rule blocks "j", though the function gives it split.
// CHECK-LABEL: func.func @blocked(
// CHECK: call @[[BLOCKED:tanh_[0-9]+]](%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.composite_rule = #sdy.op_sharding_rule<{{.*}}>, spmd.inferred}
func.func @blocked(%a: tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x5xf32> {
  %0 = stablehlo.composite "my.tanh" %a {decomposition = @tanh, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=5} blocked_propagation={j}>} : (tensor<8x5xf32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}
func.func private @tanh(%a: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %0 = stablehlo.tanh %a : tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}

// What nothing reached is flagged again.
// CHECK-LABEL: func.func @unreached(
// CHECK-SAME: %arg0: tensor<8x5xf32> {spmd.missing_sharding}
// CHECK: call @tanh{{.*}} spmd.missing_sharding
func.func @unreached(%a: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %0 = stablehlo.composite "my.tanh" %a {decomposition = @tanh, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=5}>} : (tensor<8x5xf32>) -> tensor<8x5xf32>
  return %0 : tensor<8x5xf32>
}

// A group in a copy has a number of its own: nothing in there is tied to the program around it.
// CHECK-LABEL: func.func @grouped(
// CHECK: sdy.sharding_group %{{.*}} group_id=7
func.func @grouped(%a: tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x5xf32>) -> (tensor<8x5xf32>, tensor<8x5xf32>) {
  %0 = stablehlo.composite "my.group" %a {decomposition = @group, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=5} need_replication={j}>} : (tensor<8x5xf32>) -> tensor<8x5xf32>
  %1 = stablehlo.composite "my.group" %a {decomposition = @group} : (tensor<8x5xf32>) -> tensor<8x5xf32>
  sdy.sharding_group %b group_id=7 : tensor<8x5xf32>
  return %0, %1 : tensor<8x5xf32>, tensor<8x5xf32>
}
// CHECK: func.func private @group(
// CHECK: sdy.sharding_group %{{.*}} group_id=7
// CHECK: func.func private @group_
// CHECK: sdy.sharding_group %{{.*}} group_id=0
func.func private @group(%a: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %0 = stablehlo.tanh %a : tensor<8x5xf32>
  sdy.sharding_group %0 group_id=7 : tensor<8x5xf32>
  %1 = stablehlo.reverse %0, dims = [0] : tensor<8x5xf32>
  return %1 : tensor<8x5xf32>
}

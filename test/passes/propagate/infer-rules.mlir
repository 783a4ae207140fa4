// RUN: spmd-opt %s --spmd-propagate="on-missing=replicate on-no-rule=infer-from-users" | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-propagate="on-missing=replicate on-no-rule=infer-from-users" | FileCheck %s --check-prefix=BUFFER
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false --spmd-propagate="on-missing=replicate on-no-rule=infer-from-users" | FileCheck %s --check-prefix=BUFFER
// Custom calls that nobody has a rule of get the one that those who use their results ask for.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Rows are wanted, of the first call through the second and an op in between; columns are not.
// CHECK-LABEL: func.func @wanted(
// CHECK-SAME: %arg0: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>, spmd.inferred}
// CHECK-COUNT-2: spmd.assumed_rule, {{.*}}spmd.rule = {dims = "([i, j], [k])->([i, j]) need_replication={j, k}"}
func.func @wanted(%a: tensor<6x4xf32>, %w: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> (tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.custom_call @f(%a, %w) : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.tanh %0 : tensor<6x4xf32>
  %2 = stablehlo.custom_call @f(%1, %w) : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  return %2 : tensor<6x4xf32>
}

// What comes in split, and nobody wants split, says nothing of the call; nor is anything assumed of a call with effects, or
// along a dim of which another operand of as many dims has another size, or that not all results have.
// CHECK-LABEL: func.func @not_wanted(
// CHECK-NOT: spmd.rule
// CHECK: return
func.func @not_wanted(%a: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<3x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %0 = stablehlo.custom_call @f(%a) : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = stablehlo.custom_call @f(%a) {has_side_effect = true} : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %2 = stablehlo.custom_call @f(%a, %b) : (tensor<6x4xf32>, tensor<3x4xf32>) -> tensor<6x4xf32>
  %3:2 = stablehlo.custom_call @f(%a) : (tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<4xf32>)
  return %0, %1, %2, %3#0, %3#1 : tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<6x4xf32>, tensor<4xf32>
}

// All results of a call have the dim that is wanted of one.
// CHECK-LABEL: func.func @several(
// CHECK: spmd.assumed_rule, {{.*}}"([i, j])->([i, j], [i]) need_replication={j}"
func.func @several(%a: tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0:2 = stablehlo.custom_call @f(%a) : (tensor<6x4xf32>) -> (tensor<6x4xf32>, tensor<6xf32>)
  return %0#0, %0#1 : tensor<6x4xf32>, tensor<6xf32>
}

// A rule that is there stays; calls of a function ask together.
// CHECK-LABEL: func.func @given(
// CHECK-NOT: spmd.assumed_rule
// CHECK: func.func private @callee
// CHECK: spmd.assumed_rule, {{.*}}"([i, j])->([i, j]) need_replication={i}"
func.func @given(%a: tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %0 = stablehlo.custom_call @f(%a) {spmd.rule = {dims = "([i, j])->([i, j]) need_replication={i, j}"}} : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %1 = call @callee(%a) : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return %0, %1 : tensor<6x4xf32>, tensor<6x4xf32>
}
func.func private @callee(%a: tensor<6x4xf32>) -> tensor<6x4xf32> {
  %0 = stablehlo.custom_call @f(%a) : (tensor<6x4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}

// What is asked of a call is asked of the one before it, too, where a buffer stands between them.
// BUFFER-LABEL: func.func @through_buffer(
// BUFFER-COUNT-2: spmd.assumed_rule, {{.*}}"([i, j])->([i, j]) need_replication={j}"
func.func @through_buffer(%b: !spmd.buffer<tensor<6x4xf32>>) -> (tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  stablehlo.custom_call @f(%b) {spmd.writes = array<i64: 0>} : (!spmd.buffer<tensor<6x4xf32>>) -> ()
  stablehlo.custom_call @f(%b) {spmd.writes = array<i64: 0>} : (!spmd.buffer<tensor<6x4xf32>>) -> ()
  %0 = spmd.load %b : !spmd.buffer<tensor<6x4xf32>>
  return %0 : tensor<6x4xf32>
}

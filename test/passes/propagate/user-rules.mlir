// A rule that a user wrote on an op that has one of its own takes from that what it forbids, as in Shardy, whether it says
// `custom` or not.
// RUN: spmd-opt %s --spmd-propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy | FileCheck %s --check-prefixes=CHECK,SHARDY
// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s --check-prefix=RESHARD
// RUN: spmd-opt %s --spmd-explain="value=@apart:%0" | FileCheck %s --check-prefix=EXPLAIN
// RUN: spmd-opt %s --spmd-explain="value=@other_dim:%0" | FileCheck %s --check-prefixes=SORTED,BLOCKED

sdy.mesh @mesh = <["x"=2, "y"=3]>

// CHECK-LABEL: func.func @not_custom(
// CHECK: stablehlo.add {{.*}}sdy.sharding_per_value<[<@mesh, [{?}, {"y", ?}]>]>
func.func @not_custom(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.add %a, %b {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=6} blocked_propagation={i}>} : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// CHECK-LABEL: func.func @blocked(
// CHECK: stablehlo.add {{.*}}sdy.sharding_per_value<[<@mesh, [{?}, {"y", ?}]>]>
func.func @blocked(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.add %a, %b {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=8, j=6} blocked_propagation={i}, custom>} : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// Rows before the slice and behind it have nothing to do with each other.
// EXPLAIN: "x" of %a dim 0 {{.*}} does not come through 'stablehlo.slice' {{.*}}: the rule that was written for it lets nothing pass
// CHECK-LABEL: func.func @apart(
// CHECK: stablehlo.slice {{.*}}sdy.sharding_per_value<[<@mesh, [{?}, {"y", ?}]>]>
func.func @apart(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<7x6xf32> {
  %0 = stablehlo.slice %a [1:8, 0:6] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, j]) {i=8, j=6, k=7}, custom>} : (tensor<8x6xf32>) -> tensor<7x6xf32>
  return %0 : tensor<7x6xf32>
}

// The rule says that the contracted dim is replicated. So both operands are gathered along it, and no device has a share of
// the sum.
// CHECK-LABEL: func.func @whole(
// RESHARD-LABEL: func.func @whole(
// RESHARD: sdy.reshard %arg0 <@mesh, [{{.*}}, {}]>
// RESHARD: sdy.reshard %arg1 <@mesh, [{}, {"y"}]>
// RESHARD: stablehlo.dot_general
// RESHARD-NOT: unreduced
// RESHARD: return
func.func @whole(%a: tensor<7x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<7x6xf32> {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [k, j])->([i, j]) {i=7, j=6, k=8} need_replication={k}, custom>} : (tensor<7x8xf32>, tensor<8x6xf32>) -> tensor<7x6xf32>
  return %0 : tensor<7x6xf32>
}

// Of calls, what is said in our own words says more.
// RESHARD-LABEL: func.func @call(
// RESHARD: sdy.reshard %arg0 <@mesh, [{"x"}, {}]>
// RESHARD: stablehlo.custom_call @mine
func.func @call(%a: tensor<7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.custom_call @mine(%a) {spmd.rule = {dims = "([i, j])->([i, j]) need_replication={j}"}, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=7, j=6} need_replication={i}, custom>} : (tensor<7x6xf32>) -> tensor<7x6xf32>
  return %0 : tensor<7x6xf32>
}

// A rule that takes nothing changes nothing: Shardy lets axes pass along the dim that is sorted.
// SHARDY-LABEL: func.func @left_alone(
// SHARDY: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>
func.func @left_alone(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x6xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %m = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=6}, custom>} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// One that takes something of another dim leaves the sorted one as it was.
// SHARDY-LABEL: func.func @other_dim(
// SHARDY: }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>
func.func @other_dim(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x6xf32> {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %m = stablehlo.compare LT, %l, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %m : tensor<i1>
  }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=6} blocked_propagation={j}, custom>} : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// And what keeps axes from it is still told as what it is.
// SORTED: does not come through 'stablehlo.sort' {{.*}}: nothing passes along a sorted dim that is too short to be sorted in parts
// BLOCKED: "y" of %a dim 1 {{.*}} does not come through 'stablehlo.sort' {{.*}}: the rule that was written for it lets nothing pass

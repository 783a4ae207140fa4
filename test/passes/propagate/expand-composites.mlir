// RUN: spmd-opt %s --spmd-propagate --spmd-expand-composites | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline="stop-after=propagate on-missing=error" -verify-diagnostics | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline="stop-after=propagate inline-functions=false" | spmd-opt --spmd-propagate --spmd-expand-composites | FileCheck %s

// A composite with a rule of its own is split by that: here in a way that its decomposition alone would not be. It becomes the call of a
// copy that takes and gives what the rule says; those that lie alike share the copy, and the original goes.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @main(
// CHECK: %0:2 = call @twice_0(%arg0) {{.*}}[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {"x", ?}]>]
// CHECK: call @twice_0(%0#0) {{.*}}[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {"x", ?}]>]
// CHECK: call @[[B:twice_[0-9]+]](%arg1) {{.*}}[<@mesh, [{?}, {"y", ?}]>, <@mesh, [{"y", ?}, {?}]>]
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})
    -> (tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>) {
  %0:2 = stablehlo.composite "my.twice" %a {decomposition = @twice, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j], [j, i]) {i=8, j=4}>} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x8xf32>)
  %1:2 = stablehlo.composite "my.twice" %0#0 {decomposition = @twice, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j], [j, i]) {i=8, j=4}>} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x8xf32>)
  %2:2 = stablehlo.composite "my.twice" %b {decomposition = @twice, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j], [j, i]) {i=8, j=4}>} : (tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x8xf32>)
  return %1#0, %1#1, %2#0, %2#1 : tensor<8x4xf32>, tensor<4x8xf32>, tensor<8x4xf32>, tensor<4x8xf32>
}

// Axes that the rule keeps from a dim do not come in. Composites inside of others are split by their own rules.
// CHECK-LABEL: func.func @outer(
// CHECK: call @[[ROWS:rows_[0-9]+]](%arg0)
func.func @outer(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.composite "my.rows" %a {decomposition = @rows, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4} need_replication={j}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK: func.func private @twice_0(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
// CHECK: stablehlo.tanh {{.*}}[<@mesh, [{"x", ?}, {?}]>]
// CHECK: func.func private @[[B]](%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>})
func.func private @twice(%a: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<4x8xf32>) {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  %1 = stablehlo.reshape %0 : (tensor<8x4xf32>) -> tensor<32xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<32xf32>
  %3 = stablehlo.reshape %2 : (tensor<32xf32>) -> tensor<4x8xf32>
  return %0, %3 : tensor<8x4xf32>, tensor<4x8xf32>
}

// CHECK: func.func private @[[ROWS]](%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// CHECK: call @half
func.func private @rows(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.composite "my.half" %a {decomposition = @half, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// CHECK: func.func private @half{{.*}}(%arg0: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
// CHECK-NOT: func.func
func.func private @half(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.constant dense<0.5> : tensor<8x4xf32>
  %1 = stablehlo.multiply %0, %a : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

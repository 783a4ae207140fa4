// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s

// Moves stand where they are needed: in bodies, at what bodies return, outside of loops.
sdy.mesh @mesh = <["x"=2, "y"=4]>

// What the body returns is brought to the carry.
// CHECK-LABEL: func.func @returned_value_comes_to_the_carry(
// CHECK: stablehlo.while
// CHECK: %[[NEW:.+]] = stablehlo.negate
// CHECK: %[[BACK:.+]] = sdy.reshard %[[NEW]] <@mesh, [{"x"}, {}]>
// CHECK: stablehlo.return %{{.+}}, %[[BACK]]
func.func @returned_value_comes_to_the_carry(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %n: tensor<i1>) -> tensor<8x4xf32> {
  %0:2 = stablehlo.while(%p = %n, %c = %a) : tensor<i1>, tensor<8x4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}, {}]>]>}
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = sdy.sharding_constraint %c <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
    %2 = stablehlo.negate %1 : tensor<8x4xf32>
    %3 = sdy.sharding_constraint %2 <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
    stablehlo.return %p, %3 : tensor<i1>, tensor<8x4xf32>
  }
  return %0#1 : tensor<8x4xf32>
}

// A value from outside is moved once, before both loops, for all its users in them.
// CHECK-LABEL: func.func @captured_value_moves_before_loops(
// CHECK: %[[MOVED:.+]] = sdy.reshard %arg1 <@mesh, [{}, {"x"}]>
// CHECK: stablehlo.while
// CHECK: stablehlo.while
// CHECK-NOT: sdy.reshard
// CHECK: stablehlo.add %{{.+}}, %[[MOVED]]
// CHECK-NOT: sdy.reshard
// CHECK: stablehlo.multiply %{{.+}}, %[[MOVED]]
func.func @captured_value_moves_before_loops(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %n: tensor<i1>) -> tensor<8x4xf32> {
  %0:2 = stablehlo.while(%p = %n, %c = %a) : tensor<i1>, tensor<8x4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {"x"}]>]>}
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1:2 = stablehlo.while(%q = %p, %d = %c) : tensor<i1>, tensor<8x4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {"x"}]>]>}
    cond {
      stablehlo.return %q : tensor<i1>
    } do {
      %e = sdy.sharding_constraint %b <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
      %2 = stablehlo.add %d, %e : tensor<8x4xf32>
      stablehlo.return %q, %2 : tensor<i1>, tensor<8x4xf32>
    }
    %e = sdy.sharding_constraint %b <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
    %3 = stablehlo.multiply %1#1, %e : tensor<8x4xf32>
    stablehlo.return %p, %3 : tensor<i1>, tensor<8x4xf32>
  }
  return %0#1 : tensor<8x4xf32>
}

// A branch that is not taken moves nothing: each moves for itself.
// CHECK-LABEL: func.func @captured_value_moves_in_branches(
// CHECK-NOT: sdy.reshard
// CHECK: "stablehlo.if"
// CHECK: %[[FIRST:.+]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]>
// CHECK-NEXT: stablehlo.return %[[FIRST]]
// CHECK: %[[SECOND:.+]] = sdy.reshard %arg0 <@mesh, [{}, {"x"}]>
// CHECK-NEXT: stablehlo.return %[[SECOND]]
func.func @captured_value_moves_in_branches(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %p: tensor<i1>) -> tensor<8x4xf32> {
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %a : tensor<8x4xf32>
  }, {
    stablehlo.return %a : tensor<8x4xf32>
  }) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<i1>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

// What decides is whole on every device: partial sums are summed before the branch.
// CHECK-LABEL: func.func @predicate_is_whole(
// CHECK: %[[PARTIAL:.+]] = stablehlo.reduce{{.*}} unreduced=or{"x"}
// CHECK: %[[WHOLE:.+]] = sdy.reshard %[[PARTIAL]] <@mesh, []>
// CHECK: "stablehlo.if"(%[[WHOLE]])
func.func @predicate_is_whole(%a: tensor<8xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32>) -> tensor<8xf32> {
  %false = stablehlo.constant dense<false> : tensor<i1>
  %p = stablehlo.reduce(%a init: %false) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %b : tensor<8xf32>
  }, {
    %1 = stablehlo.negate %b : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// What comes together in a carry or in the result of a branch is moved to where that lies, not the other way.
// RUN: spmd-opt %s --spmd-propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=MOVES

sdy.mesh @m = <["x"=4, "y"=2]>

// A carry that is whole would be gathered from what one branch is constrained to, in each turn: it lies as that branch says,
// where more than one op reads it.
// CHECK-LABEL: func.func @constrained(
// What the loop hands on as it came, and adds to that carry, comes to lie so once, before the loop.
// CHECK: stablehlo.while{{.*}}[<@m, []>, <@m, [{"y", ?}, {"x", ?}]>, <@m, [{"y", ?}, {"x", ?}]>]
// CHECK: stablehlo.sine {{.*}}<@m, [{"y", ?}, {"x", ?}]>
// MOVES-LABEL: func.func @constrained(
// MOVES-NOT: all_gather
func.func @constrained(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}, %n: tensor<i32>) -> tensor<16x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %b = %a, %c = %a) : tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = "stablehlo.case"(%i) ({
      %s = stablehlo.sine %c : tensor<16x16xf32>
      %t = sdy.sharding_constraint %s <@m, [{"y"}, {"x"}]> : tensor<16x16xf32>
      %u = stablehlo.multiply %t, %t : tensor<16x16xf32>
      stablehlo.return %u : tensor<16x16xf32>
    }, {
      %s = stablehlo.add %c, %b : tensor<16x16xf32>
      stablehlo.return %s : tensor<16x16xf32>
    }) : (tensor<i32>) -> tensor<16x16xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %b, %k : tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>
  }
  return %r#2 : tensor<16x16xf32>
}

// The carry takes the layout of the constraint in the branch: the value moves before the loop and behind it, not in each iteration.
// CHECK-LABEL: func.func @constrained_for_one(
// CHECK: stablehlo.while{{.*}}[<@m, []>, <@m, [{"x", ?}, {"y", ?}]>, <@m, [{"x", ?}, {"y", ?}]>]
// MOVES-LABEL: func.func @constrained_for_one(
// MOVES: "stablehlo.all_to_all"
// MOVES: stablehlo.while
// MOVES-NOT: {{all_|collective_}}
// MOVES: stablehlo.return %{{.*}}, %{{.*}}, %{{.*}} :
func.func @constrained_for_one(%a: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {"y"}]>}, %n: tensor<i32>) -> tensor<16x16xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %r:3 = stablehlo.while(%i = %zero, %b = %a, %c = %a) : tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>
  cond {
    %more = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %more : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %k = "stablehlo.case"(%i) ({
      %s = stablehlo.sine %c : tensor<16x16xf32>
      %t = sdy.sharding_constraint %s <@m, [{"y"}, {"x"}]> : tensor<16x16xf32>
      stablehlo.return %t : tensor<16x16xf32>
    }, {
      %s = stablehlo.add %c, %b : tensor<16x16xf32>
      stablehlo.return %s : tensor<16x16xf32>
    }) : (tensor<i32>) -> tensor<16x16xf32>
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %b, %k : tensor<i32>, tensor<16x16xf32>, tensor<16x16xf32>
  }
  return %r#2 : tensor<16x16xf32>
}

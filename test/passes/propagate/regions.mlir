// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics | FileCheck %s

// Shardings go through regions: what comes in and what comes out of a flow is one tensor.
sdy.mesh @mesh = <["x"=2, "y"=4]>

// A carry: what the loop is given decides, and the op in the body that uses it learns.
// CHECK-LABEL: func.func @carry_learns_from_operand(
// CHECK: stablehlo.while
// CHECK-SAME: <@mesh, [{"x", ?}, {?}]>
// CHECK: stablehlo.negate {{.*}}<@mesh, [{"x", ?}, {?}]>
func.func @carry_learns_from_operand(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %n: tensor<i1>) -> tensor<8x4xf32> {
  %0:2 = stablehlo.while(%p = %n, %c = %a) : tensor<i1>, tensor<8x4xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.negate %c : tensor<8x4xf32>
    %2 = stablehlo.not %p : tensor<i1>
    stablehlo.return %2, %1 : tensor<i1>, tensor<8x4xf32>
  }
  return %0#1 : tensor<8x4xf32>
}

// From the inside out: a constraint in the body reaches the argument of the function.
// CHECK-LABEL: func.func @carry_learns_from_body(
// CHECK-SAME: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>, spmd.inferred}
// CHECK: return
func.func @carry_learns_from_body(%a: tensor<8x4xf32>, %n: tensor<i1>) -> tensor<8x4xf32> {
  %0:2 = stablehlo.while(%p = %n, %c = %a) : tensor<i1>, tensor<8x4xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.negate %c : tensor<8x4xf32>
    %2 = sdy.sharding_constraint %1 <@mesh, [{}, {"y"}]> : tensor<8x4xf32>
    stablehlo.return %p, %2 : tensor<i1>, tensor<8x4xf32>
  }
  return %0#1 : tensor<8x4xf32>
}

// A constant that starts two carries does not tie them.
// CHECK-LABEL: func.func @shared_start_ties_nothing(
// CHECK: stablehlo.while
// CHECK-SAME: <@mesh, [{"x", ?}]>, <@mesh, [{"y", ?}]>
func.func @shared_start_ties_nothing(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %n: tensor<i1>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<8xf32>
  %0:3 = stablehlo.while(%u = %zero, %v = %zero, %p = %n) : tensor<8xf32>, tensor<8xf32>, tensor<i1>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.add %u, %a : tensor<8xf32>
    %2 = stablehlo.add %v, %b : tensor<8xf32>
    stablehlo.return %1, %2, %p : tensor<8xf32>, tensor<8xf32>, tensor<i1>
  }
  return %0#0, %0#1 : tensor<8xf32>, tensor<8xf32>
}

// All branches return one tensor; what is read from outside is a value as any other.
// CHECK-LABEL: func.func @branches_agree(
// CHECK: stablehlo.tanh {{.*}}<@mesh, [{"x", ?}]>
// CHECK: stablehlo.sine {{.*}}<@mesh, [{"x", ?}]>
// CHECK: (tensor<i1>) -> tensor<8xf32>
func.func @branches_agree(%p: tensor<i1>, %a: tensor<8xf32>, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = "stablehlo.if"(%p) ({
    %1 = stablehlo.tanh %a : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }, {
    %1 = stablehlo.sine %b : tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<i1>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Free axes go through the border of a manual computation, behind the manual ones; the manual axis
// stays outside, and what the border does not name is not taken up.
// CHECK-LABEL: func.func @free_axes_cross_the_border(
// CHECK: sdy.manual_computation(%arg0, %arg1)
// CHECK-SAME: in_shardings=[<@mesh, [{"x", "y", ?}, {?}]>, <@mesh, [{"y", ?}, {?}], replicated={"x"}>]
// CHECK-SAME: out_shardings=[<@mesh, [{"x", "y", ?}, {?}]>]
// CHECK: stablehlo.negate {{.*}}<@mesh, [{"y", ?}, {?}]>
func.func @free_axes_cross_the_border(%a: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {}]>}, %b: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<16x4xf32> {
  %0 = sdy.manual_computation(%a, %b) in_shardings=[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%u: tensor<8x4xf32>, %v: tensor<8x4xf32>) {
    %1 = stablehlo.negate %u : tensor<8x4xf32>
    %2 = stablehlo.add %1, %v : tensor<8x4xf32>
    sdy.return %2 : tensor<8x4xf32>
  } : (tensor<16x4xf32>, tensor<8x4xf32>) -> tensor<16x4xf32>
  return %0 : tensor<16x4xf32>
}

// An axis that is manual along one dim is none's inside, even where another dim of the operand lies along it.
// CHECK-LABEL: func.func @manual_axis_splits_nothing_inside(
// CHECK: stablehlo.add %{{.*}}, %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"y", ?}]>]>
func.func @manual_axis_splits_nothing_inside(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}], replicated={"y"}>}) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{?}, {"x", "y"}]>] out_shardings=[<@mesh, [{?}, {"x", ?}]>] manual_axes={"x"} (%u: tensor<8x4xf32>) {
    %1 = stablehlo.add %u, %u : tensor<8x4xf32>
    sdy.return %1 : tensor<8x4xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// A function called where axes are manual is another than the one called outside.
// CHECK-LABEL: func.func @callee_is_shared(
// CHECK: sdy.manual_computation
// CHECK: call @twice(
// CHECK: call @twice_1(
// CHECK: func.func private @twice({{.*}}[{"y", ?}]{{.*}} attributes {spmd.manual_axes = ["x"]}
// CHECK: func.func private @twice_1({{.*}}[{"x", ?}]
func.func @callee_is_shared(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, %b: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<16xf32>, tensor<8xf32>) {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", ?}]>] out_shardings=[<@mesh, [{"x", ?}]>] manual_axes={"x"} (%u: tensor<8xf32>) {
    %1 = func.call @twice(%u) : (tensor<8xf32>) -> tensor<8xf32>
    sdy.return %1 : tensor<8xf32>
  } : (tensor<16xf32>) -> tensor<16xf32>
  %1 = call @twice(%b) : (tensor<8xf32>) -> tensor<8xf32>
  return %0, %1 : tensor<16xf32>, tensor<8xf32>
}
func.func private @twice(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.add %a, %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// Where all axes are manual there is nothing to annotate, and nothing is missing.
// CHECK-LABEL: func.func @nothing_is_missing_inside(
// CHECK: stablehlo.iota {{.*}}<@mesh, [{}]>
func.func @nothing_is_missing_inside(%a: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) -> tensor<16xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x", "y"}]>] out_shardings=[<@mesh, [{"x", "y"}]>] manual_axes={"x", "y"} (%u: tensor<2xf32>) {
    %1 = stablehlo.iota dim = 0 : tensor<2xf32>
    %2 = stablehlo.custom_call @unheard_of(%1) : (tensor<2xf32>) -> tensor<2xf32>
    sdy.return %2 : tensor<2xf32>
  } : (tensor<16xf32>) -> tensor<16xf32>
  return %0 : tensor<16xf32>
}

// A carry that is pinned twice is moved in every turn, which is worth a word.
func.func @carry_pinned_twice(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %n: tensor<i1>) -> tensor<8x4xf32> {
  // expected-note @above {{comes in as [{"x"}, {}]}}
  // expected-remark @below {{'stablehlo.while' op carries value 1 as [{"x"}, {}], but its body returns it as [{}, {"x"}]; it is moved in every turn}}
  %0:2 = stablehlo.while(%p = %n, %c = %a) : tensor<i1>, tensor<8x4xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x"}, {}]>]>}
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    // expected-note @below {{pinned here}}
    %1 = sdy.sharding_constraint %c <@mesh, [{}, {"x"}]> : tensor<8x4xf32>
    stablehlo.return %p, %1 : tensor<i1>, tensor<8x4xf32>
  }
  return %0#1 : tensor<8x4xf32>
}

// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics --split-input-file -o %t
// RUN: FileCheck %s --check-prefixes=CHECK,OURS < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --spmd-propagate --split-input-file 2>/dev/null | diff %t -
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy --split-input-file 2>/dev/null | FileCheck %s --check-prefixes=CHECK,SHARDY

// A group ties what is in several functions, wherever they are called.
sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main(
// OURS-SAME: %arg1: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y", ?}]>, spmd.inferred}
// Shardy leaves an argument no axes that do not divide it.
// SHARDY-SAME: %arg1: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>, spmd.inferred, spmd.uneven_sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y", ?}]>}
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}, %b: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  sdy.sharding_group %a group_id=7 : tensor<8x6xf32>
  // CHECK: call @f(%arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>, spmd.inferred}
  %0 = call @f(%b) : (tensor<8x6xf32>) -> tensor<8x6xf32>
  // CHECK: stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {"y", ?}]>]>, spmd.inferred}
  %1 = stablehlo.tanh %a : tensor<8x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
}
// CHECK-LABEL: func.func private @f(
func.func private @f(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // CHECK: stablehlo.negate {{.*}}[{"x", ?}, {"y", ?}]
  %0 = stablehlo.negate %a : tensor<8x6xf32>
  sdy.sharding_group %0 group_id=7 : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
// CHECK-LABEL: func.func @g(
func.func @g(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>}) -> tensor<8x6xf32> {
  sdy.sharding_group %a group_id=7 : tensor<8x6xf32>
  // CHECK: stablehlo.tanh {{.*}}[{"x", ?}, {"y", ?}]
  %0 = stablehlo.tanh %a : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// One that is in one function alone ties its members in each call: the calls may differ. Its copy has another number.
sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @main(
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  // CHECK: call @f(%arg0) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.inferred}
  %0 = call @f(%a) : (tensor<8x6xf32>) -> tensor<8x6xf32>
  // CHECK: call @f_1(%arg1) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"y", ?}]>]>, spmd.inferred}
  %1 = call @f(%b) : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
}
// CHECK: func.func private @f(
// CHECK: sharding_group %arg0 group_id=7
// CHECK: func.func private @f_1(
// CHECK: sharding_group %arg0 group_id=0
// CHECK: sharding_group %0 group_id=0
func.func private @f(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.iota dim = 0 : tensor<8x6xf32>
  sdy.sharding_group %a group_id=7 : tensor<8x6xf32>
  sdy.sharding_group %0 group_id=7 : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A part of a value inside a manual computation lies as nothing outside: nothing is tied across its border.
sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @border(
func.func @border(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %b: tensor<8x6xf32>) -> tensor<8x6xf32> {
  // expected-note @below {{the first is added here}}
  sdy.sharding_group %a group_id=7 : tensor<8x6xf32>
  // CHECK: manual_computation(%arg1) in_shardings=[<@mesh, [{"x"}, {?}]>]
  %0 = sdy.manual_computation(%b) in_shardings=[<@mesh, [{"x"}, {?}]>] out_shardings=[<@mesh, [{"x"}, {?}]>] manual_axes={"x"} (%c: tensor<4x6xf32>) {
    // expected-warning @below {{'sdy.sharding_group' op adds a value to group 7, whose first is on the other side of the border of a manual computation; nothing ties them across it}}
    sdy.sharding_group %c group_id=7 : tensor<4x6xf32>
    sdy.return %c : tensor<4x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// A constant lies as the others of its group do, in whatever function they are: it has no sharding where these have none.
sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @unsplit(
// CHECK-SAME: %arg1: tensor<7x6xf32> {spmd.missing_sharding}
// expected-warning @below {{argument 1 of @unsplit has no sharding}}
// expected-note @below {{to split it, write}}
func.func @unsplit(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %b: tensor<7x6xf32>) -> (tensor<8x6xf32>, tensor<7x6xf32>) {
  sdy.sharding_group %b group_id=7 : tensor<7x6xf32>
  // expected-note @below {{used by 'func.return' as operand 1 here}}
  return %a, %b : tensor<8x6xf32>, tensor<7x6xf32>
}
// CHECK-LABEL: func.func @constants(
// CHECK: stablehlo.iota dim = 0 {spmd.missing_sharding}
// CHECK: stablehlo.iota dim = 1 {spmd.missing_sharding}
func.func @constants() -> tensor<7x6xf32> {
  // expected-warning @below {{'stablehlo.iota' op result 0 has no sharding}}
  // expected-note @below {{to split it, write}}
  %0 = stablehlo.iota dim = 0 : tensor<7x6xf32>
  // expected-warning @below {{'stablehlo.iota' op result 0 has no sharding}}
  // expected-note @below {{to split it, write}}
  %1 = stablehlo.iota dim = 1 : tensor<7x6xf32>
  sdy.sharding_group %0 group_id=7 : tensor<7x6xf32>
  sdy.sharding_group %1 group_id=7 : tensor<7x6xf32>
  // expected-note @below {{used by 'func.return' as operand 0 here}}
  return %1 : tensor<7x6xf32>
}

// -----

// Members that would learn different things from others learn what the first of them does.
sdy.mesh @mesh = <["x"=2, "y"=3]>
// CHECK-LABEL: func.func @first_of_both(
func.func @first_of_both(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                         %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  // CHECK: stablehlo.negate {{.*}}[{"x", ?}, {?}]
  %0 = stablehlo.negate %a : tensor<8x6xf32>
  sdy.sharding_group %0 group_id=1 : tensor<8x6xf32>
  // CHECK: stablehlo.abs {{.*}}[{"x", ?}, {?}]
  %1 = stablehlo.abs %b : tensor<8x6xf32>
  sdy.sharding_group %1 group_id=1 : tensor<8x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// All lie as one that is pinned, closed dims and priorities included.
sdy.mesh @mesh = <["x"=2, "y"=3]>
// CHECK-LABEL: func.func @as_pinned(
func.func @as_pinned(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  // CHECK: stablehlo.negate {{.*}}[{}, {"x"}p1]>]>, spmd.inferred}
  %0 = stablehlo.negate %a : tensor<8x6xf32>
  sdy.sharding_group %0 group_id=2 : tensor<8x6xf32>
  // CHECK: stablehlo.abs {{.*}}[{}, {"x"}p1]>]>}
  %1 = stablehlo.abs %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}p1]>]>} : tensor<8x6xf32>
  sdy.sharding_group %1 group_id=2 : tensor<8x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// Pins of one group that leave open what others say lie so from the start, before the rows of the constraint come there.
sdy.mesh @mesh = <["x"=2, "y"=4]>
// OURS-LABEL: func.func @open_pins(
// OURS-SAME: %arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}
func.func @open_pins(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>}) -> tensor<8x6xf32> {
  sdy.sharding_group %a group_id=1 : tensor<8x6xf32>
  %0 = sdy.sharding_constraint %a <@mesh, [{"y"}, {}]> : tensor<8x6xf32>
  // OURS: stablehlo.negate {{.*}}[{"x"}, {?}]
  %1 = stablehlo.negate %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {?}]>]>} : tensor<8x6xf32>
  sdy.sharding_group %1 group_id=1 : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate | diff %t.mlir -
// RUN: not spmd-opt %s --spmd-propagate=on-missing=error 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: spmd-opt %s --spmd-explain=missing | FileCheck %s --check-prefix=TOLD

// An annotation that leaves all dims open says nothing: what nothing else reaches is flagged as if there were none.
sdy.mesh @m = <["x"=2, "y"=4]>
// CHECK-LABEL: func.func @openly_annotated(
// CHECK-SAME: [{?}, {?}]>, spmd.missing_sharding}
// ERROR: error: argument 0 of @openly_annotated has no sharding; annotate it or set on-missing=replicate
// ERROR: error: 'stablehlo.tanh' op result 0 has no sharding
// TOLD: argument 0 of @openly_annotated has no sharding; whole on every device by default
// expected-warning @below {{argument 0 of @openly_annotated has no sharding; annotate it or set on-missing=replicate}}
// expected-note @below {{its annotation leaves all dims open, and no other reaches it}}
// expected-note @below {{to split it, write: %a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>}}}
func.func @openly_annotated(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {?}]>}) -> tensor<8x16xf32> {
  // CHECK: stablehlo.tanh {{.*}}[{?}, {?}]>]>, spmd.missing_sharding}
  // expected-note @below {{used by 'stablehlo.tanh' as operand 0 here}}
  // expected-warning @below {{'stablehlo.tanh' op result 0 has no sharding}}
  // expected-note @below {{its annotation leaves all dims open, and no other reaches it}}
  // expected-note @below {{to split it, write}}
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}]>]>} : tensor<8x16xf32>
  // expected-note @below {{used by 'func.return' as operand 0 here}}
  return %0 : tensor<8x16xf32>
}

// What one dim says is enough, and so is what comes from elsewhere.
// CHECK-LABEL: func.func @said_in_one_dim(
// CHECK-NOT: missing
func.func @said_in_one_dim(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {}]>},
                           %b: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {?}], replicated={"x"}>}) -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {?}]>]>} : tensor<8x16xf32>
  return %0, %b : tensor<8x16xf32>, tensor<8x16xf32>
}

// A constraint is flagged with the value that it is of, not twice.
// CHECK-LABEL: func.func @constraint(
// CHECK-SAME: spmd.missing_sharding
// CHECK: sdy.sharding_constraint %arg0 <@m, [{?}, {?}]> : tensor<8x16xf32>
// expected-warning @below {{argument 0 of @constraint has no sharding}}
// expected-note @below {{to split it, write}}
func.func @constraint(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // expected-note @below {{used by 'sdy.sharding_constraint' as operand 0 here}}
  %0 = sdy.sharding_constraint %a <@m, [{?}, {?}]> : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// So are arguments and results of manual computations, if what comes in or is returned is. Arguments hold no mark.
// CHECK-LABEL: func.func @manual(
// CHECK-SAME: spmd.missing_sharding
// ERROR: error: argument 0 of @manual has no sharding
// ERROR: error: 'sdy.manual_computation' op result 0 has no sharding
// ERROR: error: argument 0 of 'sdy.manual_computation' has no sharding
// TOLD: argument 0 of 'sdy.manual_computation' has no sharding; whole on every device by default
// expected-warning @below {{argument 0 of @manual has no sharding}}
// expected-note @below {{to split it, write}}
func.func @manual(%a: tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>) {
  // CHECK: } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  // expected-note @below {{used by 'sdy.manual_computation' as operand 0 here}}
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{?}, {?}]>] out_shardings=[<@m, [{?}, {?}]>] manual_axes={} (%arg1: tensor<8x16xf32>) {
    sdy.return %arg1 : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  // CHECK: } {spmd.missing_sharding} : () -> tensor<8x16xf32>
  // expected-warning @below {{'sdy.manual_computation' op result 0 has no sharding}}
  // expected-note @below {{its annotation leaves all dims open, and no other reaches it}}
  // expected-note @below {{to split it, write}}
  %1 = sdy.manual_computation() in_shardings=[] out_shardings=[<@m, [{?}, {?}]>] manual_axes={} () {
    %e = stablehlo.constant dense<1.0> : tensor<8x16xf32>
    sdy.return %e : tensor<8x16xf32>
  } : () -> tensor<8x16xf32>
  // expected-note @below {{used by 'sdy.manual_computation' as operand 0 here}}
  %2 = sdy.manual_computation(%1) in_shardings=[<@m, [{?}, {?}]>] out_shardings=[<@m, [{?}, {?}]>] manual_axes={"x"} (%arg1: tensor<8x16xf32>) {
    // expected-warning @below {{'stablehlo.sine' op result 0 has no sharding}}
    // expected-note @below {{to split it, write}}
    %3 = stablehlo.sine %arg1 : tensor<8x16xf32>
    // expected-note @below {{used by 'sdy.return' as operand 0 here}}
    sdy.return %3 : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  // The result is said to be whole over "x" above; of "y" nobody says anything, here and there.
  // expected-warning @below {{argument 0 of 'sdy.manual_computation' has no sharding}}
  // expected-note @below {{its annotation leaves all dims open, and no other reaches it}}
  // expected-note @below {{to split it, write: %split = sdy.sharding_constraint %arg1 <@m, [{"y"}, {?}]>}}
  %4 = sdy.manual_computation(%2) in_shardings=[<@m, [{?}, {?}]>] out_shardings=[<@m, [{?}, {?}]>] manual_axes={"x"} (%arg1: tensor<8x16xf32>) {
    // expected-note @below {{used by 'sdy.return' as operand 0 here}}
    sdy.return %arg1 : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0, %1, %4 : tensor<8x16xf32>, tensor<8x16xf32>, tensor<8x16xf32>
}

// Constants are made wherever they are needed, also behind such a constraint, and in a manual computation that they go into.
// CHECK-LABEL: func.func @constants(
// CHECK-NOT: missing
func.func @constants() -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %0 = stablehlo.constant dense<1.0> : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <@m, [{?}, {?}]> : tensor<8x16xf32>
  %2 = stablehlo.tanh %1 : tensor<8x16xf32>
  %3 = stablehlo.add %0, %0 : tensor<8x16xf32>
  %4 = sdy.manual_computation(%3) in_shardings=[<@m, [{?}, {?}]>] out_shardings=[<@m, [{?}, {?}]>] manual_axes={"x"} (%arg1: tensor<8x16xf32>) {
    %5 = stablehlo.sine %arg1 : tensor<8x16xf32>
    sdy.return %5 : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %2, %4 : tensor<8x16xf32>, tensor<8x16xf32>
}

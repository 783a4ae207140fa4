// RUN: spmd-opt %s --split-input-file --spmd-propagate=on-missing=replicate 2>/dev/null | FileCheck %s
// RUN: spmd-opt %s --split-input-file --spmd-propagate="on-missing=replicate hints=drop" 2>/dev/null | FileCheck %s --check-prefix=DROP

sdy.mesh @mesh = <["x"=2, "y"=4]>

// Where nothing else is said, the hint decides, and what it decides spreads. No hint is left.
// CHECK-LABEL: func @nothing_else(
// CHECK-SAME: %arg0: {{.*}}sdy.sharding<@mesh, [{"x", ?}, {?}]>
// CHECK: stablehlo.negate{{.*}}{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>, spmd.inferred}
// DROP-LABEL: func @nothing_else(
// DROP: stablehlo.negate{{.*}}{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>, spmd.inferred, spmd.missing_sharding}
func.func @nothing_else(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = stablehlo.negate %a {spmd.sharding_hint = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

// What an argument says stands; the hint adds to the dim that is open beside it.
// CHECK-LABEL: func @beside_an_argument(
// CHECK: stablehlo.negate{{.*}}<@mesh, [{"x", ?}, {"y", ?}]>
// DROP-LABEL: func @beside_an_argument(
// DROP: stablehlo.negate{{.*}}<@mesh, [{"x", ?}, {?}]>
func.func @beside_an_argument(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.negate %a {spmd.sharding_hint = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

// An axis that was found for one dim is not moved to another, and a dim that has one keeps it.
// CHECK-LABEL: func @never_instead(
// CHECK-SAME: %arg0: {{.*}}sdy.sharding<@mesh, [{"x"}, {}]>
// CHECK: stablehlo.negate{{.*}}<@mesh, [{"x", ?}, {?}]>
// CHECK: stablehlo.abs{{.*}}<@mesh, [{"x", ?}, {?}]>
func.func @never_instead(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.negate %a {spmd.sharding_hint = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : tensor<8x16xf32>
  %1 = stablehlo.abs %0 {spmd.sharding_hint = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

// A pin is no hint's business, and neither is an axis that must stay replicated.
// CHECK-LABEL: func @pinned(
// CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{?}, {?}], replicated={"x"}>
// CHECK: stablehlo.abs{{.*}}{sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>}
func.func @pinned(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = sdy.sharding_constraint %a <@mesh, [{?}, {?}], replicated={"x"}> {spmd.sharding_hint = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>} : tensor<8x16xf32>
  %1 = stablehlo.abs %0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>, spmd.sharding_hint = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : tensor<8x16xf32>
  return %1 : tensor<8x16xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

// Each result of an op has its own; a carry is hinted at by the result of its loop.
// CHECK-LABEL: func @results(
// CHECK: stablehlo.while
// CHECK-SAME: <@mesh, []>, <@mesh, [{"y", ?}]>
func.func @results(%i: tensor<i32>, %a: tensor<16xf32>) -> tensor<16xf32> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:2 = stablehlo.while(%k = %i, %x = %a) : tensor<i32>, tensor<16xf32>
      attributes {spmd.sharding_hint = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"y"}]>]>}
  cond {
    %c = stablehlo.compare LT, %k, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
    %next = stablehlo.add %k, %one : tensor<i32>
    %y = stablehlo.add %x, %x : tensor<16xf32>
    stablehlo.return %next, %y : tensor<i32>, tensor<16xf32>
  }
  return %0#1 : tensor<16xf32>
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>

// Inside a manual region a hint says nothing.
// CHECK-LABEL: func @manual(
// CHECK: stablehlo.negate
// CHECK-NOT: "y"
// CHECK: sdy.return
func.func @manual(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%p: tensor<4x16xf32>) {
    %1 = stablehlo.negate %p {spmd.sharding_hint = #sdy.sharding_per_value<[<@mesh, [{}, {"y"}]>]>} : tensor<4x16xf32>
    sdy.return %1 : tensor<4x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return %0 : tensor<8x16xf32>
}

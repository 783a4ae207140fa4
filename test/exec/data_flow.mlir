// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run - --on-missing=error
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run - --on-missing=error
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run - --on-missing=error
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run - --on-missing=error
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-opt - --spmd-propagate | FileCheck %s --implicit-check-not='func.func private @twice'
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-opt - --spmd-pipeline | FileCheck %s --check-prefix=DEVICE

// How shardings go from place to place, on dims that no axis divides.
sdy.mesh @mesh = MESH

// A result that says nothing lies as what is returned; one that is open takes on what more there is, and one
// that is closed does not.
// CHECK-LABEL: func.func public @main(
// CHECK-SAME: -> (tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y", ?}]>, spmd.inferred}
// CHECK-SAME: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"y"}]>}
// CHECK-SAME: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}
// DEVICE: -> (tensor<4x2xi32> {{[^)]*}}, tensor<4x2xi32> {{[^)]*}}, tensor<10x2xi32>
func.func public @main(%a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %alike: tensor<10x7xi32>, %behind: tensor<10x7xi32>)
    -> (tensor<10x7xi32>, tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y"}]>}, tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, tensor<10x7xi32>, tensor<10x7xi32>, tensor<10xi32>, tensor<10x7xi32>) {
  // A value that is constrained lies for its other users as without the constraint.
  // CHECK: %[[PLUS:.+]] = stablehlo.add %arg0, %arg0 {{.*}}<@mesh, [{"x", ?}, {"y", ?}]>
  %0 = stablehlo.add %a, %a : tensor<10x7xi32>
  // CHECK: %[[THERE:.+]] = sdy.sharding_constraint %[[PLUS]] <@mesh, [{}, {"y"}]>
  %1 = sdy.sharding_constraint %0 <@mesh, [{}, {"y"}]> : tensor<10x7xi32>
  // CHECK: stablehlo.negate %[[PLUS]] {{.*}}<@mesh, [{"x", ?}, {"y", ?}]>
  %2 = stablehlo.negate %0 : tensor<10x7xi32>
  // CHECK: stablehlo.negate %[[THERE]] {{.*}}<@mesh, [{?}, {"y", ?}]>
  %3 = stablehlo.negate %1 : tensor<10x7xi32>

  // Members of a group lie alike.
  sdy.sharding_group %a group_id=5 : tensor<10x7xi32>
  sdy.sharding_group %alike group_id=5 : tensor<10x7xi32>
  // CHECK: stablehlo.not %arg2 {{.*}}<@mesh, [{"x", ?}, {?}]>
  %4 = stablehlo.not %alike : tensor<10x7xi32>

  // Nothing comes through a barrier, both ways. What is behind has what a constraint gives it.
  // CHECK: sdy.propagation_barrier %{{.+}} allowed_direction=NONE
  // CHECK-NEXT: stablehlo.add {{.*}}<@mesh, [{?}, {"x", ?}]>
  %5 = sdy.propagation_barrier %2 allowed_direction=NONE : tensor<10x7xi32>
  %6 = stablehlo.add %5, %behind : tensor<10x7xi32>
  %7 = sdy.sharding_constraint %6 <@mesh, [{}, {"x"}]> : tensor<10x7xi32>

  // A named computation and an optimization barrier let all through.
  %8 = sdy.named_computation<"square">(%a) (%c: tensor<10x7xi32>) {
    %9 = stablehlo.multiply %c, %c : tensor<10x7xi32>
    sdy.return %9 : tensor<10x7xi32>
  } : (tensor<10x7xi32>) -> tensor<10x7xi32>
  // CHECK: stablehlo.optimization_barrier {{.*}}[<@mesh, [{"x", ?}, {?}]>, <@mesh, [{"x", ?}, {"y", ?}]>]
  %10:2 = stablehlo.optimization_barrier %8, %b : tensor<10x7xi32>, tensor<10x7xi32>

  // Five calls in three ways: two more functions.
  // CHECK: call @twice(%arg0)
  // CHECK: call @twice_1(%arg1)
  // CHECK: call @twice(
  // CHECK: call @twice_1(
  // CHECK: call @twice_2(
  %11 = call @twice(%a) : (tensor<10x7xi32>) -> tensor<10xi32>
  %12 = call @twice(%b) : (tensor<10x7xi32>) -> tensor<10xi32>
  %13 = call @twice(%10#0) : (tensor<10x7xi32>) -> tensor<10xi32>
  %14 = call @twice(%10#1) : (tensor<10x7xi32>) -> tensor<10xi32>
  %15 = call @twice(%7) : (tensor<10x7xi32>) -> tensor<10xi32>
  %16 = stablehlo.add %11, %13 : tensor<10xi32>
  %17 = stablehlo.add %12, %14 : tensor<10xi32>
  %18 = stablehlo.add %16, %15 : tensor<10xi32>
  %19 = stablehlo.subtract %18, %17 : tensor<10xi32>
  return %2, %0, %3, %4, %7, %19, %10#0 : tensor<10x7xi32>, tensor<10x7xi32>, tensor<10x7xi32>, tensor<10x7xi32>, tensor<10x7xi32>, tensor<10xi32>, tensor<10x7xi32>
}

// CHECK: func.func private @twice({{.*}}[{"x", ?}, {?}]>, spmd.inferred})
// CHECK: func.func private @twice_1({{.*}}[{"x", ?}, {"y", ?}]>, spmd.inferred})
// CHECK: func.func private @twice_2({{.*}}[{?}, {"x", ?}]>, spmd.inferred})
func.func private @twice(%a: tensor<10x7xi32>) -> tensor<10xi32> {
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %two) applies stablehlo.add across dimensions = [1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<10xi32>
  return %0 : tensor<10xi32>
}

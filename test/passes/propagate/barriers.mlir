// RUN: spmd-opt --spmd-propagate=on-missing=replicate %s | FileCheck %s
// RUN: spmd-opt --spmd-propagate="conflicts=shardy on-missing=replicate" %s | FileCheck %s
// RUN: spmd-opt --spmd-explain="value=@forward:%y" %s | FileCheck %s --check-prefix=EXPLAIN

// A barrier lets shardings through in the direction that it allows, over any number of ops, and in no other.

sdy.mesh @mesh = <["x"=2, "y"=4]>

// CHECK-LABEL: func.func @forward(
// CHECK-SAME: %arg1: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>
// CHECK: stablehlo.negate %arg0 {{.*}}[{"x", ?}, {?}]
// CHECK: sdy.propagation_barrier {{.*}}allowed_direction=FORWARD {{.*}}[{"x", ?}, {?}]
// CHECK: stablehlo.cosine {{.*}}[{"x", ?}, {?}]
// CHECK: stablehlo.sine %arg1 {{.*}}[{?}, {?}]
// CHECK: sdy.sharding_constraint {{.*}}[{}, {"y"}]
func.func @forward(%a: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<6x8xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  %0 = stablehlo.negate %a : tensor<6x8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=FORWARD : tensor<6x8xf32>
  %2 = stablehlo.cosine %1 : tensor<6x8xf32>
  %y = stablehlo.sine %b : tensor<6x8xf32>
  %3 = sdy.propagation_barrier %y allowed_direction=FORWARD : tensor<6x8xf32>
  %4 = sdy.sharding_constraint %3 <@mesh, [{}, {"y"}]> : tensor<6x8xf32>
  return %2, %4 : tensor<6x8xf32>, tensor<6x8xf32>
}

// EXPLAIN: dim 1 (size 8) is not split:
// EXPLAIN: "y" of %3 dim 1 {{.*}} does not come through 'sdy.propagation_barrier' {{.*}}: nothing passes it

// CHECK-LABEL: func.func @backward(
// CHECK-SAME: %arg1: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", ?}]>
// CHECK: stablehlo.cosine {{.*}}[{?}, {?}]
// CHECK: stablehlo.sine %arg1 {{.*}}[{?}, {"y", ?}]
func.func @backward(%a: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<6x8xf32>) -> (tensor<6x8xf32>, tensor<6x8xf32>) {
  %0 = stablehlo.negate %a : tensor<6x8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=BACKWARD : tensor<6x8xf32>
  %2 = stablehlo.cosine %1 : tensor<6x8xf32>
  %3 = stablehlo.sine %b : tensor<6x8xf32>
  %4 = sdy.propagation_barrier %3 allowed_direction=BACKWARD : tensor<6x8xf32>
  %5 = sdy.sharding_constraint %4 <@mesh, [{}, {"y"}]> : tensor<6x8xf32>
  return %2, %5 : tensor<6x8xf32>, tensor<6x8xf32>
}

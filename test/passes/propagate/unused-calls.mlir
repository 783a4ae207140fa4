// RUN: spmd-opt %s --spmd-propagate -o %t 2>%t.err
// RUN: FileCheck %s < %t
// RUN: FileCheck %s --check-prefix=WARN < %t.err
// Propagating again changes nothing, though the calls are of two functions then.
// RUN: spmd-opt %t --spmd-propagate 2>/dev/null | diff %t -

sdy.mesh @mesh = <["x"=2]>

// What one call makes is used, what the other makes of the same argument is not: there, nothing is missing.
// CHECK-LABEL: func.func @main(
// CHECK: call @f(%arg1, %arg0) {{.*}}[<mesh<[]>, [{?}]>, <@mesh, [{"x", ?}]>]>, spmd.inferred, spmd.missing_sharding = array<i64: 0>}
// CHECK: call @f_1(%arg1, %arg2) {{.*}}[<@mesh, [{?}]>, <@mesh, [{?}]>]>, spmd.inferred}
// CHECK: func.func private @f(%arg0: tensor<6xf32> {spmd.missing_sharding}, %arg1: tensor<4xf32> {{.*}}[{"x", ?}]
// CHECK: stablehlo.tanh %arg0 {spmd.missing_sharding}
// CHECK: func.func private @f_1(%arg0: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>, spmd.inferred}, %arg1: tensor<4xf32> {{.*}}[{?}]
// CHECK: stablehlo.tanh %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>, spmd.inferred}
// WARN-COUNT-4: warning: {{.*}} has no sharding
// WARN-NOT: has no sharding
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<6xf32>,
                %w: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
    -> (tensor<6xf32>, tensor<4xf32>, tensor<4xf32>) {
  %0:2 = call @f(%b, %a) : (tensor<6xf32>, tensor<4xf32>) -> (tensor<6xf32>, tensor<4xf32>)
  %1:2 = call @f(%b, %w) : (tensor<6xf32>, tensor<4xf32>) -> (tensor<6xf32>, tensor<4xf32>)
  return %0#0, %0#1, %1#1 : tensor<6xf32>, tensor<4xf32>, tensor<4xf32>
}
func.func private @f(%p: tensor<6xf32>, %q: tensor<4xf32>) -> (tensor<6xf32>, tensor<4xf32>) {
  %0 = stablehlo.tanh %p : tensor<6xf32>
  %1 = stablehlo.negate %q : tensor<4xf32>
  return %0, %1 : tensor<6xf32>, tensor<4xf32>
}

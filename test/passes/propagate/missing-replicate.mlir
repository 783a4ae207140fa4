// RUN: spmd-opt %s --spmd-propagate=on-missing=replicate 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARNING < %t

sdy.mesh @mesh = <["x"=2]>

// Flagged and held whole; later stages need not ask again. A group is no use.
// WARNING: missing-replicate.mlir:[[#@LINE + 6]]:{{[0-9]+}}: warning: argument 1 of @main has no sharding; every device holds it whole; annotate it to split it
// WARNING: note: used by 'stablehlo.negate' as operand 0 here
// WARNING: warning: 'stablehlo.negate' op result 0 has no sharding; every device holds it whole; annotate it to split it
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>, spmd.inferred, spmd.missing_sharding}
// CHECK: stablehlo.negate %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}]>]>, spmd.inferred, spmd.missing_sharding} :
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  sdy.sharding_group %b group_id=0 : tensor<4xf32>
  %0 = stablehlo.negate %b : tensor<4xf32>
  return %a, %0 : tensor<4xf32>, tensor<4xf32>
}

// RUN: spmd-opt %s --spmd-propagate -o %t 2>/dev/null
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --spmd-propagate 2>/dev/null | diff %t -
// RUN: not spmd-opt %t --spmd-reshard 2>&1 | FileCheck %s --check-prefix=REFUSED
// RUN: spmd-opt %t --spmd-reshard=on-missing=replicate 2>/dev/null | FileCheck %s --check-prefix=WHOLE

sdy.mesh @mesh = <["x"=2]>

// Where a result has no sharding, the others of the op keep theirs.
// CHECK-LABEL: func.func @main(
// CHECK: optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>, <mesh<[]>, [{?}, {?}]>]>, spmd.inferred, spmd.missing_sharding = array<i64: 1>}
// CHECK: stablehlo.while{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{"x", ?}]>, <mesh<[]>, [{?}, {?}]>]>, spmd.inferred, spmd.missing_sharding = array<i64: 2>}
// Later stages ask for it alone.
// REFUSED: error: argument 1 of @main has no sharding
// REFUSED: error: 'stablehlo.optimization_barrier' op result 1 has no sharding
// REFUSED: error: 'stablehlo.while' op result 2 has no sharding
// REFUSED-NOT: error:
// WHOLE: optimization_barrier {{.*}}[<@mesh, [{"x", ?}]>, <@mesh, [{}, {}]>]
// WHOLE: stablehlo.while{{.*}}[<@mesh, []>, <@mesh, [{"x"{{(, \?)?}}}]>, <@mesh, [{}, {}]>]
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<6x6xf32>, %n: tensor<i32>)
    -> (tensor<4xf32>, tensor<6x6xf32>) {
  %0:2 = stablehlo.optimization_barrier %a, %b : tensor<4xf32>, tensor<6x6xf32>
  %1:3 = stablehlo.while(%i = %n, %c = %0#0, %d = %0#1) : tensor<i32>, tensor<4xf32>, tensor<6x6xf32>
  cond {
    %less = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  } do {
    %next = stablehlo.add %i, %n : tensor<i32>
    stablehlo.return %next, %c, %d : tensor<i32>, tensor<4xf32>, tensor<6x6xf32>
  }
  return %1#1, %1#2 : tensor<4xf32>, tensor<6x6xf32>
}

// A result of a function lies as the program says of what it returns, be it nothing.
// CHECK-LABEL: func.func @said(
// CHECK-SAME: -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>, spmd.inferred}, tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>, spmd.inferred})
func.func @said(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32>, tensor<6x6xf32>) {
  %0 = stablehlo.constant dense<2.0> : tensor<6x6xf32>
  %1:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>, <@mesh, [{?}, {?}]>]>} %a, %0 : tensor<4xf32>, tensor<6x6xf32>
  return %1#0, %1#1 : tensor<4xf32>, tensor<6x6xf32>
}

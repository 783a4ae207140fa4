// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: func @top_k
// GENERIC: sym_name = "top_k"
func.func @top_k(%x: tensor<2x9xf32>, %open: tensor<?x9x?xf32>) {
  // CHECK-NEXT: chlo.top_k(%{{.*}}, k = 4) : tensor<2x9xf32> -> (tensor<2x4xf32>, tensor<2x4xi32>)
  // GENERIC: "chlo.top_k"(%{{.*}}) <{k = 4 : i64}> : (tensor<2x9xf32>) -> (tensor<2x4xf32>, tensor<2x4xi32>)
  %0:2 = chlo.top_k(%x, k = 4) : tensor<2x9xf32> -> (tensor<2x4xf32>, tensor<2x4xi32>)
  // CHECK-NEXT: chlo.top_k(%{{.*}}, k = 4, is_stable = false) : tensor<2x9xf32>
  %1:2 = chlo.top_k(%x, k = 4, is_stable = false) : tensor<2x9xf32> -> (tensor<2x4xf32>, tensor<2x4xi32>)
  // CHECK-NEXT: chlo.top_k(%{{.*}}, k = 4) : tensor<?x9x?xf32>
  %2:2 = chlo.top_k(%open, k = 4, is_stable = true) : tensor<?x9x?xf32> -> (tensor<?x9x4xf32>, tensor<?x9x4xi32>)
  return
}

// Fields of the dimension numbers come in any order, empty ones may be left out.
// CHECK-LABEL: func @ragged_dot
func.func @ragged_dot(%lhs: tensor<2x11x5xf32>, %groups: tensor<3x2x5x7xf32>, %rhs: tensor<2x5x7xf32>, %sizes: tensor<3xi64>, %varying: tensor<2x3xi64>) {
  // CHECK-NEXT: "chlo.ragged_dot"(%{{.*}}, %{{.*}}, %{{.*}}) <{precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>], ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2], lhs_ragged_dimensions = [1], rhs_group_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  %0 = "chlo.ragged_dot"(%lhs, %groups, %varying) {
    ragged_dot_dimension_numbers = #chlo.ragged_dot<rhs_group_dimensions = [0], lhs_ragged_dimensions = [1], lhs_batching_dimensions = [0],
      rhs_batching_dimensions = [1], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [2]>,
    precision_config = [#chlo<precision HIGH>, #chlo<precision DEFAULT>]
  } : (tensor<2x11x5xf32>, tensor<3x2x5x7xf32>, tensor<2x3xi64>) -> tensor<2x11x7xf32>
  // CHECK-NEXT: #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>
  %1 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [2], rhs_group_dimensions = []>}> : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<3xi64>) -> tensor<3x2x11x7xf32>
  // CHECK-NEXT: lhs_ragged_dimensions = [0]>
  %2 = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<
      lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1],
      lhs_ragged_dimensions = [0]>}> : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<3xi64>) -> tensor<2x11x7xf32>
  return
}

// CHECK-LABEL: func @scan
func.func @scan(%x: tensor<2x3xf32>, %i: tensor<2x3xi32>, %c: tensor<3xf32>, %d: tensor<3xi32>) {
  // CHECK-NEXT: chlo.scan(%{{.*}}) inits (%{{.*}}) dimension=0 {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<3xf32>, %{{.*}}: tensor<3xf32>):
  // CHECK: } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  %0:2 = chlo.scan (%x) inits (%c) dimension = 0 attributes {} {
  ^bb0(%a: tensor<3xf32>, %b: tensor<3xf32>):
    %sum = stablehlo.add %a, %b : tensor<3xf32>
    stablehlo.return %sum, %sum : tensor<3xf32>, tensor<3xf32>
  } : (tensor<2x3xf32>, tensor<3xf32>) -> (tensor<2x3xf32>, tensor<3xf32>)
  // CHECK: chlo.scan(%{{.*}}, %{{.*}}) inits (%{{.*}}, %{{.*}}) dimension=0 attributes {is_associative = true, is_reverse = true, scan_dim_size = 2 : i64} {
  %1:3 = chlo.scan(%x, %i) inits (%c, %d) dimension=0 attributes {is_reverse = true, is_associative = true, scan_dim_size = 2 : i64} {
  ^bb0(%a: tensor<3xf32>, %j: tensor<3xi32>, %b: tensor<3xf32>, %k: tensor<3xi32>):
    stablehlo.return %j, %a, %k : tensor<3xi32>, tensor<3xf32>, tensor<3xi32>
  } : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<3xf32>, tensor<3xi32>) -> (tensor<2x3xi32>, tensor<3xf32>, tensor<3xi32>)
  return
}

// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @shapes
func.func @shapes(%a: tensor<2x3xf32>, %row: tensor<3xf32>, %column: tensor<2x1xf32>, %scalar: tensor<f32>, %open: tensor<?xf32>) {
  // CHECK-NEXT: chlo.broadcast_add %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %0 = chlo.broadcast_add %a, %row : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: chlo.broadcast_subtract
  %1 = chlo.broadcast_subtract %row, %column : (tensor<3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: chlo.broadcast_multiply %{{.*}}, %{{.*}} {broadcast_dimensions = array<i64: 1>} :
  %2 = chlo.broadcast_multiply %a, %row {broadcast_dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: chlo.broadcast_divide
  %3 = chlo.broadcast_divide %scalar, %a : (tensor<f32>, tensor<2x3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: chlo.broadcast_maximum
  %4 = chlo.broadcast_maximum %open, %row : (tensor<?xf32>, tensor<3xf32>) -> tensor<3xf32>
  // CHECK-NEXT: chlo.broadcast_minimum
  %5 = chlo.broadcast_minimum %open, %column : (tensor<?xf32>, tensor<2x1xf32>) -> tensor<2x?xf32>
  // CHECK-NEXT: chlo.broadcast_atan2
  %6 = chlo.broadcast_atan2 %a, %row : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: chlo.broadcast_power
  %7 = chlo.broadcast_power %a, %row : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: chlo.broadcast_remainder
  %8 = chlo.broadcast_remainder %a, %row : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: chlo.broadcast_next_after
  %9 = chlo.broadcast_next_after %a, %row : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: chlo.broadcast_polygamma
  %10 = chlo.broadcast_polygamma %a, %row : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  // CHECK-NEXT: chlo.broadcast_zeta
  %11 = chlo.broadcast_zeta %a, %row : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func @integers
func.func @integers(%a: tensor<2x3xi32>, %b: tensor<3xi32>) {
  // CHECK-NEXT: chlo.broadcast_and
  %0 = chlo.broadcast_and %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  // CHECK-NEXT: chlo.broadcast_or
  %1 = chlo.broadcast_or %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  // CHECK-NEXT: chlo.broadcast_xor
  %2 = chlo.broadcast_xor %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  // CHECK-NEXT: chlo.broadcast_shift_left
  %3 = chlo.broadcast_shift_left %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  // CHECK-NEXT: chlo.broadcast_shift_right_arithmetic
  %4 = chlo.broadcast_shift_right_arithmetic %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  // CHECK-NEXT: chlo.broadcast_shift_right_logical
  %5 = chlo.broadcast_shift_right_logical %a, %b : (tensor<2x3xi32>, tensor<3xi32>) -> tensor<2x3xi32>
  return
}

// CHECK-LABEL: func @other_elements
func.func @other_elements(%a: tensor<2x3xf32>, %b: tensor<3xf32>, %p: tensor<2x1xi1>) {
  // CHECK-NEXT: chlo.broadcast_complex %{{.*}}, %{{.*}} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  %0 = chlo.broadcast_complex %a, %b : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xcomplex<f32>>
  // CHECK-NEXT: chlo.broadcast_compare %{{.*}}, %{{.*}} {compare_type = #chlo<comparison_type TOTALORDER>, comparison_direction = #chlo<comparison_direction GE>} : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  %1 = chlo.broadcast_compare %a, %b {comparison_direction = #chlo<comparison_direction GE>, compare_type = #chlo<comparison_type TOTALORDER>}
      : (tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xi1>
  // CHECK-NEXT: chlo.broadcast_select %{{.*}}, %{{.*}}, %{{.*}} : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  %2 = chlo.broadcast_select %p, %a, %b : (tensor<2x1xi1>, tensor<2x3xf32>, tensor<3xf32>) -> tensor<2x3xf32>
  return
}

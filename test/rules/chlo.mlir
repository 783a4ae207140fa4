// RUN: spmd-opt %s --spmd-check-rules=all=true --verify-diagnostics -o %t

// Functions, broadcasting ops, searches and ragged products of chlo.
func.func private @of_chlo(%a: tensor<5x4xf32>, %b: tensor<5x4xf32>, %i: tensor<5x4xi32>, %j: tensor<5x4xi32>, %z: tensor<5x4xcomplex<f32>>) {
  %0 = chlo.acos %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %1 = chlo.acosh %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %2 = chlo.asin %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %3 = chlo.asinh %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %4 = chlo.atan %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %5 = chlo.atanh %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %6 = chlo.bessel_i1e %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %7 = chlo.cosh %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %8 = chlo.digamma %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %9 = chlo.erf %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %10 = chlo.erf_inv %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %11 = chlo.erfc %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %12 = chlo.lgamma %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %13 = chlo.sinh %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %14 = chlo.square %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %15 = chlo.tan %a : tensor<5x4xf32> -> tensor<5x4xf32>
  %16 = chlo.is_inf %a : tensor<5x4xf32> -> tensor<5x4xi1>
  %17 = chlo.is_neg_inf %a : tensor<5x4xf32> -> tensor<5x4xi1>
  %18 = chlo.is_pos_inf %a : tensor<5x4xf32> -> tensor<5x4xi1>
  %19 = chlo.next_after %a, %b : tensor<5x4xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %20 = chlo.polygamma %a, %b : tensor<5x4xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %21 = chlo.zeta %a, %b : tensor<5x4xf32>, tensor<5x4xf32> -> tensor<5x4xf32>
  %22 = chlo.mulhi %i, %j : tensor<5x4xi32>, tensor<5x4xi32> -> tensor<5x4xi32>
  %23 = chlo.conj %z : tensor<5x4xcomplex<f32>> -> tensor<5x4xcomplex<f32>>
  %24 = "chlo._asin_acos_kernel"(%z) : (tensor<5x4xcomplex<f32>>) -> tensor<5x4xcomplex<f32>>
  %25 = "chlo.constant_like"(%a) <{value = 3.5 : f32}> : (tensor<5x4xf32>) -> tensor<5x4xf32>
  %26 = "chlo.constant"() <{value = dense<[1, 2, 3, 4, 5]> : tensor<5xi32>}> : () -> tensor<5xi32>
  return
}

// A dim of size 1 is repeated; a dim that is left out, too.
func.func private @broadcasting(%a: tensor<5x4xf32>, %row: tensor<4xf32>, %one: tensor<5x1xf32>, %i: tensor<5x4xi32>, %j: tensor<4xi32>, %p: tensor<5x1xi1>) {
  %0 = chlo.broadcast_add %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %1 = chlo.broadcast_atan2 %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %2 = chlo.broadcast_divide %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %3 = chlo.broadcast_maximum %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %4 = chlo.broadcast_minimum %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %5 = chlo.broadcast_multiply %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %6 = chlo.broadcast_next_after %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %7 = chlo.broadcast_polygamma %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %8 = chlo.broadcast_power %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %9 = chlo.broadcast_remainder %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %10 = chlo.broadcast_subtract %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %11 = chlo.broadcast_zeta %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %12 = chlo.broadcast_add %one, %row : (tensor<5x1xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  %13 = chlo.broadcast_and %i, %j : (tensor<5x4xi32>, tensor<4xi32>) -> tensor<5x4xi32>
  %14 = chlo.broadcast_or %i, %j : (tensor<5x4xi32>, tensor<4xi32>) -> tensor<5x4xi32>
  %15 = chlo.broadcast_xor %i, %j : (tensor<5x4xi32>, tensor<4xi32>) -> tensor<5x4xi32>
  %16 = chlo.broadcast_shift_left %i, %j : (tensor<5x4xi32>, tensor<4xi32>) -> tensor<5x4xi32>
  %17 = chlo.broadcast_shift_right_arithmetic %i, %j : (tensor<5x4xi32>, tensor<4xi32>) -> tensor<5x4xi32>
  %18 = chlo.broadcast_shift_right_logical %i, %j : (tensor<5x4xi32>, tensor<4xi32>) -> tensor<5x4xi32>
  %19 = chlo.broadcast_complex %a, %row : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xcomplex<f32>>
  %20 = chlo.broadcast_compare %a, %row {comparison_direction = #chlo<comparison_direction GE>} : (tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xi1>
  %21 = chlo.broadcast_select %p, %a, %row : (tensor<5x1xi1>, tensor<5x4xf32>, tensor<4xf32>) -> tensor<5x4xf32>
  return
}

func.func private @top_k(%x: tensor<3x7xf32>, %i: tensor<11xi32>) {
  %values, %places = chlo.top_k(%x, k = 4) : tensor<3x7xf32> -> (tensor<3x4xf32>, tensor<3x4xi32>)
  %all, %order = chlo.top_k(%i, k = 11) : tensor<11xi32> -> (tensor<11xi32>, tensor<11xi32>)
  return
}

func.func private @ragged_dot(%lhs: tensor<11x5xf32>, %rhs: tensor<3x5x7xf32>, %batched: tensor<2x11x5xf32>, %columns: tensor<2x5x7xf32>) {
  %sizes = stablehlo.constant dense<[4, 0, 5]> : tensor<3xi64>
  %rows = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<11x5xf32>, tensor<3x5x7xf32>, tensor<3xi64>) -> tensor<11x7xf32>
  %few = stablehlo.constant dense<[2, 1, 2]> : tensor<3xi64>
  %summed = "chlo.ragged_dot"(%batched, %columns, %few) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_batching_dimensions = [0], rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [2]>}>
      : (tensor<2x11x5xf32>, tensor<2x5x7xf32>, tensor<3xi64>) -> tensor<3x2x11x7xf32>
  return
}

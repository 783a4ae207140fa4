// RUN: spmd-run %s --engine=whole

// Results that are known beforehand, of ops whose partitioned runs are compared with whole ones elsewhere.
func.func @main() {
  // NaN comes first, equal elements in their order.
  %x = stablehlo.constant dense<[1.0, 0x7FC00000, 3.0, 3.0, 0xFF800000, 2.0]> : tensor<6xf32>
  %values, %places = chlo.top_k(%x, k = 6) : tensor<6xf32> -> (tensor<6xf32>, tensor<6xi32>)
  %values_wanted = stablehlo.constant dense<[0x7FC00000, 3.0, 3.0, 2.0, 1.0, 0xFF800000]> : tensor<6xf32>
  %places_wanted = stablehlo.constant dense<[1, 2, 3, 5, 0, 4]> : tensor<6xi32>
  stablehlo.custom_call @check.expect_close(%values, %values_wanted) {backend_config = "min_ulp=0,max_ulp=0", has_side_effect = true} : (tensor<6xf32>, tensor<6xf32>) -> ()
  stablehlo.custom_call @check.expect_eq(%places, %places_wanted) {has_side_effect = true} : (tensor<6xi32>, tensor<6xi32>) -> ()

  // Rows 0 and 1 belong to group 0, row 2 to group 2, row 3 to none.
  %rows = stablehlo.constant dense<[[1, 2], [3, 4], [5, 6], [7, 8]]> : tensor<4x2xi32>
  %experts = stablehlo.constant dense<[[[1], [10]], [[100], [100]], [[2], [20]]]> : tensor<3x2x1xi32>
  %sizes = stablehlo.constant dense<[2, 0, 1]> : tensor<3xi32>
  %of_rows = "chlo.ragged_dot"(%rows, %experts, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<4x2xi32>, tensor<3x2x1xi32>, tensor<3xi32>) -> tensor<4x1xi32>
  %of_rows_wanted = stablehlo.constant dense<[[21], [43], [130], [0]]> : tensor<4x1xi32>
  stablehlo.custom_call @check.expect_eq(%of_rows, %of_rows_wanted) {has_side_effect = true} : (tensor<4x1xi32>, tensor<4x1xi32>) -> ()

  // Columns 0 and 1, then none, then column 2; one product each.
  %lhs = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %rhs = stablehlo.constant dense<[[1], [10], [100]]> : tensor<3x1xi32>
  %of_groups = "chlo.ragged_dot"(%lhs, %rhs, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0], lhs_ragged_dimensions = [1]>}>
      : (tensor<2x3xi32>, tensor<3x1xi32>, tensor<3xi32>) -> tensor<3x2x1xi32>
  %of_groups_wanted = stablehlo.constant dense<[[[21], [54]], [[0], [0]], [[300], [600]]]> : tensor<3x2x1xi32>
  stablehlo.custom_call @check.expect_eq(%of_groups, %of_groups_wanted) {has_side_effect = true} : (tensor<3x2x1xi32>, tensor<3x2x1xi32>) -> ()

  // From the end, each output is what came before.
  %steps = stablehlo.constant dense<[1, 2, 3, 4]> : tensor<4xi32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %before, %sum = chlo.scan(%steps) inits (%zero) dimension=0 attributes {is_reverse = true} {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %0 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %b, %0 : tensor<i32>, tensor<i32>
  } : (tensor<4xi32>, tensor<i32>) -> (tensor<4xi32>, tensor<i32>)
  %before_wanted = stablehlo.constant dense<[9, 7, 4, 0]> : tensor<4xi32>
  %sum_wanted = stablehlo.constant dense<10> : tensor<i32>
  stablehlo.custom_call @check.expect_eq(%before, %before_wanted) {has_side_effect = true} : (tensor<4xi32>, tensor<4xi32>) -> ()
  stablehlo.custom_call @check.expect_eq(%sum, %sum_wanted) {has_side_effect = true} : (tensor<i32>, tensor<i32>) -> ()
  return
}

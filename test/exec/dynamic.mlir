// RUN: spmd-run %s --engine=whole | FileCheck %s
// CHECK: equal: yes

// Functions for any sizes, called with constants: what each op gives at the sizes at hand.
func.func @main() {
  %x_known = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xi32>
  %x_sizes = stablehlo.constant dense<[2, 3]> : tensor<2xi32>
  %x = stablehlo.dynamic_reshape %x_known, %x_sizes : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  %cumulated = call @triangle(%x) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %expected0 = stablehlo.constant dense<[[1, 0, 0], [4, 5, 0]]> : tensor<2x3xi32>
  stablehlo.custom_call @check.expect_eq(%cumulated, %expected0) {has_side_effect = true} : (tensor<?x?xi32>, tensor<2x3xi32>) -> ()
  %rolled = call @roll(%x) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %expected1 = stablehlo.constant dense<[[3, 1, 2], [6, 4, 5]]> : tensor<2x3xi32>
  stablehlo.custom_call @check.expect_eq(%rolled, %expected1) {has_side_effect = true} : (tensor<?x?xi32>, tensor<2x3xi32>) -> ()
  %place = stablehlo.constant dense<[0, 9]> : tensor<2xi32>
  %window = call @window(%x, %place) : (tensor<?x?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  %expected2 = stablehlo.constant dense<[[2, 3], [5, 6]]> : tensor<2x2xi32>
  stablehlo.custom_call @check.expect_eq(%window, %expected2) {has_side_effect = true} : (tensor<?x?xi32>, tensor<2x2xi32>) -> ()
  %rows_known = stablehlo.constant dense<[1, 1, 0, 1]> : tensor<4xi32>
  %rows_sizes = stablehlo.constant dense<[4]> : tensor<1xi32>
  %rows = stablehlo.dynamic_reshape %rows_known, %rows_sizes : (tensor<4xi32>, tensor<1xi32>) -> tensor<?xi32>
  %gathered = call @gather(%x, %rows) : (tensor<?x?xi32>, tensor<?xi32>) -> tensor<?x?xi32>
  %expected3 = stablehlo.constant dense<[[4, 5, 6], [4, 5, 6], [1, 2, 3], [4, 5, 6]]> : tensor<4x3xi32>
  stablehlo.custom_call @check.expect_eq(%gathered, %expected3) {has_side_effect = true} : (tensor<?x?xi32>, tensor<4x3xi32>) -> ()
  %powers = call @powers(%x) : (tensor<?x?xi32>) -> tensor<?x?xi32>
  %expected4 = stablehlo.constant dense<[[8, 16, 24], [32, 40, 48]]> : tensor<2x3xi32>
  stablehlo.custom_call @check.expect_eq(%powers, %expected4) {has_side_effect = true} : (tensor<?x?xi32>, tensor<2x3xi32>) -> ()
  %image_known = stablehlo.constant dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>
  %image_sizes = stablehlo.constant dense<[1, 2, 2, 1]> : tensor<4xi32>
  %image = stablehlo.dynamic_reshape %image_known, %image_sizes : (tensor<1x2x2x1xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %kernel_known = stablehlo.constant dense<1.0> : tensor<2x2x1x1xf32>
  %kernel_sizes = stablehlo.constant dense<[2, 2, 1, 1]> : tensor<4xi32>
  %kernel = stablehlo.dynamic_reshape %kernel_known, %kernel_sizes : (tensor<2x2x1x1xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %convolved = call @same(%image, %kernel) : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32>
  %expected5 = stablehlo.constant dense<[[[[10.0], [6.0]], [[7.0], [4.0]]]]> : tensor<1x2x2x1xf32>
  stablehlo.custom_call @check.expect_eq(%convolved, %expected5) {has_side_effect = true} : (tensor<?x?x?x?xf32>, tensor<1x2x2x1xf32>) -> ()
  return
}

// What lies above the diagonal becomes 0.
func.func private @triangle(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xi32>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
  %rows1 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %columns1 = stablehlo.reshape %columns : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %rows1, %columns1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %row = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  %column = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %kept = stablehlo.compare GE, %row, %column : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %zeros = stablehlo.dynamic_broadcast_in_dim %zero, %shape, dims = [] : (tensor<i32>, tensor<2xi32>) -> tensor<?x?xi32>
  %0 = stablehlo.select %kept, %x, %zeros : tensor<?x?xi1>, tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// The last column comes first: its place is the size less one.
func.func private @roll(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %one = stablehlo.constant dense<1> : tensor<i64>
  %rows32 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xi32>) -> tensor<i32>
  %columns32 = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
  %rows = stablehlo.convert %rows32 : (tensor<i32>) -> tensor<i64>
  %columns = stablehlo.convert %columns32 : (tensor<i32>) -> tensor<i64>
  %last = stablehlo.subtract %columns, %one : tensor<i64>
  %zero1 = stablehlo.constant dense<0> : tensor<1xi64>
  %rows1 = stablehlo.reshape %rows : (tensor<i64>) -> tensor<1xi64>
  %columns1 = stablehlo.reshape %columns : (tensor<i64>) -> tensor<1xi64>
  %last1 = stablehlo.reshape %last : (tensor<i64>) -> tensor<1xi64>
  %origin = stablehlo.concatenate %zero1, %zero1, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %middle = stablehlo.concatenate %zero1, %last1, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %below = stablehlo.concatenate %rows1, %last1, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %end = stablehlo.concatenate %rows1, %columns1, dim = 0 : (tensor<1xi64>, tensor<1xi64>) -> tensor<2xi64>
  %ones = stablehlo.constant dense<1> : tensor<2xi64>
  %tail = stablehlo.real_dynamic_slice %x, %middle, %end, %ones : (tensor<?x?xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xi32>
  %head = stablehlo.real_dynamic_slice %x, %origin, %below, %ones : (tensor<?x?xi32>, tensor<2xi64>, tensor<2xi64>, tensor<2xi64>) -> tensor<?x?xi32>
  %0 = stablehlo.concatenate %tail, %head, dim = 1 : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// A slice of known sizes at a place that only the run knows, which is held within the operand.
func.func private @window(%x: tensor<?x?xi32>, %place: tensor<2xi32>) -> tensor<?x?xi32> {
  %one1 = stablehlo.constant dense<1> : tensor<1xi32>
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xi32>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
  %rows1 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %columns1 = stablehlo.reshape %columns : (tensor<i32>) -> tensor<1xi32>
  %width1 = stablehlo.subtract %columns1, %one1 : tensor<1xi32>
  %sizes = stablehlo.concatenate %rows1, %width1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %whole = stablehlo.concatenate %rows1, %columns1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %zeros = stablehlo.constant dense<0> : tensor<2xi32>
  %last = stablehlo.subtract %whole, %sizes : tensor<2xi32>
  %mixed = stablehlo.optimization_barrier %place : tensor<2xi32>
  %start = stablehlo.clamp %zeros, %mixed, %last : tensor<2xi32>
  %limit = stablehlo.add %start, %sizes : tensor<2xi32>
  %ones = stablehlo.constant dense<1> : tensor<2xi32>
  %0 = stablehlo.real_dynamic_slice %x, %start, %limit, %ones : (tensor<?x?xi32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

func.func private @gather(%x: tensor<?x?xi32>, %rows: tensor<?xi32>) -> tensor<?x?xi32> {
  %one1 = stablehlo.constant dense<1> : tensor<1xi32>
  %columns = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
  %columns1 = stablehlo.reshape %columns : (tensor<i32>) -> tensor<1xi32>
  %sizes = stablehlo.concatenate %one1, %columns1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = "stablehlo.dynamic_gather"(%x, %rows, %sizes) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<?x?xi32>, tensor<?xi32>, tensor<2xi32>) -> tensor<?x?xi32>
  return %0 : tensor<?x?xi32>
}

// Doubled once for each column.
func.func private @powers(%x: tensor<?x?xi32>) -> tensor<?x?xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xi32>) -> tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<?x?xi32>
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.add %a, %a : tensor<?x?xi32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<?x?xi32>
  }
  return %0#1 : tensor<?x?xi32>
}

// A convolution that keeps the sizes: as much padding at the end as the kernel is longer than 1.
func.func private @same(%x: tensor<?x?x?x?xf32>, %k: tensor<?x?x?x?xf32>) -> tensor<?x?x?x?xf32> {
  %one = stablehlo.constant dense<1> : tensor<i32>
  %h = stablehlo.get_dimension_size %k, dim = 0 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %w = stablehlo.get_dimension_size %k, dim = 1 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %below = stablehlo.subtract %h, %one : tensor<i32>
  %right = stablehlo.subtract %w, %one : tensor<i32>
  %zero11 = stablehlo.constant dense<0> : tensor<1x1xi32>
  %below11 = stablehlo.reshape %below : (tensor<i32>) -> tensor<1x1xi32>
  %right11 = stablehlo.reshape %right : (tensor<i32>) -> tensor<1x1xi32>
  %padding0 = stablehlo.concatenate %zero11, %below11, dim = 1 : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
  %padding1 = stablehlo.concatenate %zero11, %right11, dim = 1 : (tensor<1x1xi32>, tensor<1x1xi32>) -> tensor<1x2xi32>
  %padding = stablehlo.concatenate %padding0, %padding1, dim = 0 : (tensor<1x2xi32>, tensor<1x2xi32>) -> tensor<2x2xi32>
  %0 = "stablehlo.dynamic_conv"(%x, %k, %padding) {batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>} : (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<2x2xi32>) -> tensor<?x?x?x?xf32>
  return %0 : tensor<?x?x?x?xf32>
}

// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @sized_by_operands
func.func @sized_by_operands(%x: tensor<?x3xf32>, %v: tensor<f32>, %s: tensor<3xi64>, %p: tensor<2xi32>) {
  // CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, %{{.*}}, dims = [0, 2] : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x?x3xf32>
  %0 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 2] : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x?x3xf32>
  // CHECK: stablehlo.dynamic_broadcast_in_dim %{{.*}}, %{{.*}}, dims = [0, 2] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<4x?x3xf32>
  %1 = stablehlo.dynamic_broadcast_in_dim %x, %s, dims = [0, 2] {known_expanding_dimensions = array<i64: 0>, known_nonexpanding_dimensions = array<i64: 1>} : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<4x?x3xf32>
  // CHECK: stablehlo.dynamic_iota %{{.*}}, dim = 1 : (tensor<3xi64>) -> tensor<?x4x?xi32>
  %2 = stablehlo.dynamic_iota %s, dim = 1 : (tensor<3xi64>) -> tensor<?x4x?xi32>
  // CHECK: stablehlo.dynamic_pad %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %3 = stablehlo.dynamic_pad %x, %v, %p, %p, %p : (tensor<?x3xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.dynamic_reshape %{{.*}}, %{{.*}} : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  %4 = stablehlo.dynamic_reshape %x, %s : (tensor<?x3xf32>, tensor<3xi64>) -> tensor<?x?x?xf32>
  // CHECK: stablehlo.real_dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<?x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  %5 = stablehlo.real_dynamic_slice %x, %p, %p, %p : (tensor<?x3xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x2xf32>
  return
}

// CHECK-LABEL: func @sizes
func.func @sizes(%x: tensor<?x3xf32, #stablehlo.bounds<4, ?>>, %n: tensor<i32>) {
  // CHECK: stablehlo.get_dimension_size %{{.*}}, dim = 0 : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
  %0 = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>) -> tensor<i32>
  // CHECK: stablehlo.set_dimension_size %{{.*}}, %{{.*}}, dim = 1 : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>, tensor<i32>) -> tensor<?x?xf32>
  %1 = stablehlo.set_dimension_size %x, %n, dim = 1 : (tensor<?x3xf32, #stablehlo.bounds<4, ?>>, tensor<i32>) -> tensor<?x?xf32>
  return
}

// CHECK-LABEL: func @windows_and_indices
func.func @windows_and_indices(%l: tensor<1x8x8x2xf32>, %r: tensor<3x3x2x4xf32>, %p: tensor<2x2xi64>, %i: tensor<3x1xi32>, %s: tensor<4xi64>) {
  // CHECK: "stablehlo.dynamic_conv"(%{{.*}}, %{{.*}}, %{{.*}}) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 1>}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi64>) -> tensor<1x?x?x4xf32>
  %0 = "stablehlo.dynamic_conv"(%l, %r, %p) <{batch_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, feature_group_count = 1 : i64, window_strides = array<i64: 2, 1>}> : (tensor<1x8x8x2xf32>, tensor<3x3x2x4xf32>, tensor<2x2xi64>) -> tensor<1x?x?x4xf32>
  // CHECK: "stablehlo.dynamic_gather"(%{{.*}}, %{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true}> : (tensor<1x8x8x2xf32>, tensor<3x1xi32>, tensor<4xi64>) -> tensor<3x?x?x?xf32>
  %1 = "stablehlo.dynamic_gather"(%l, %i, %s) <{dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = true}> : (tensor<1x8x8x2xf32>, tensor<3x1xi32>, tensor<4xi64>) -> tensor<3x?x?x?xf32>
  return
}

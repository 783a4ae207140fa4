// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @dynamic_slices
func.func @dynamic_slices(%x: tensor<4x5xf32>, %u: tensor<1x2xf32>, %i: tensor<i32>, %s: tensor<f32>) {
  // CHECK: stablehlo.dynamic_slice %{{.*}}, %{{.*}}, %{{.*}}, sizes = [1, 2] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  %0 = stablehlo.dynamic_slice %x, %i, %i, sizes = [1, 2] : (tensor<4x5xf32>, tensor<i32>, tensor<i32>) -> tensor<1x2xf32>
  // CHECK: stablehlo.dynamic_slice %{{.*}}, sizes = [] : (tensor<f32>) -> tensor<f32>
  %1 = stablehlo.dynamic_slice %s, sizes = [] : (tensor<f32>) -> tensor<f32>
  // CHECK: stablehlo.dynamic_update_slice %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<4x5xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
  %2 = stablehlo.dynamic_update_slice %x, %u, %i, %i : (tensor<4x5xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<4x5xf32>
  return
}

// CHECK-LABEL: func @gather
func.func @gather(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>) {
  // CHECK: "stablehlo.gather"(%{{.*}}, %{{.*}}) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 32>}> : (tensor<7x32xf32>, tensor<4x1xi32>) -> tensor<4x32xf32>
  return
}

// CHECK-LABEL: func @scatter
func.func @scatter(%x: tensor<7x32xf32>, %i: tensor<4x1xi32>, %u: tensor<4x32xf32>) {
  // CHECK: "stablehlo.scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  %0 = "stablehlo.scatter"(%x, %i, %u) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<f32>
    %1 = stablehlo.add %a, %b : tensor<f32>
  // CHECK: stablehlo.return %{{.*}} : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  // CHECK: }) : (tensor<7x32xf32>, tensor<4x1xi32>, tensor<4x32xf32>) -> tensor<7x32xf32>
  }) : (tensor<7x32xf32>, tensor<4x1xi32>, tensor<4x32xf32>) -> tensor<7x32xf32>
  return
}

// CHECK-LABEL: func @select_by_index
func.func @select_by_index(%x: tensor<4x5x6xf32>, %i: tensor<4x2xi32>) {
  // CHECK: "stablehlo.torch_index_select"(%{{.*}}, %{{.*}}) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<4x5x6xf32>, tensor<4x2xi32>) -> tensor<4x4x2x6xf32>
  %0 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 0 : i64, dim = 1 : i64}> : (tensor<4x5x6xf32>, tensor<4x2xi32>) -> tensor<4x4x2x6xf32>
  // CHECK: "stablehlo.torch_index_select"(%{{.*}}, %{{.*}}) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<4x5x6xf32>, tensor<4x2xi32>) -> tensor<4x2x6xf32>
  %1 = "stablehlo.torch_index_select"(%x, %i) <{batch_dims = 1 : i64, dim = 1 : i64}> : (tensor<4x5x6xf32>, tensor<4x2xi32>) -> tensor<4x2x6xf32>
  return
}

// RUN: spmd-opt %s --spmd-propagate=on-missing=error | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=on-missing=error --verify-diagnostics -o %t

// Calls of libraries that frontends emit, and that we do not run: what passes them.
sdy.mesh @mesh = <["x"=2, "y"=2]>

// Bits of random numbers are made element by element.
// CHECK-LABEL: func.func @random_bits(
// CHECK: @cu_threefry2x32_ffi{{.*}}[<@mesh, [{"x", ?}, {"y", ?}]>, <@mesh, [{"x", ?}, {"y", ?}]>]
func.func @random_bits(%key: tensor<8x4xui32>, %count: tensor<8x4xui32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<8x4xui32>, tensor<8x4xui32>) {
  %0:2 = stablehlo.custom_call @cu_threefry2x32_ffi(%key, %key, %count, %count) : (tensor<8x4xui32>, tensor<8x4xui32>, tensor<8x4xui32>, tensor<8x4xui32>) -> (tensor<8x4xui32>, tensor<8x4xui32>)
  return %0#0, %0#1 : tensor<8x4xui32>, tensor<8x4xui32>
}

// CHECK-LABEL: func.func @memory(
// CHECK: @AllocateBuffer() {{.*}}[<@mesh, [{"x", ?}, {?}]>]
func.func @memory(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.custom_call @AllocateBuffer() : () -> tensor<8x4xf32>
  %1 = stablehlo.add %0, %a : tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}

// Swaps of rows, and the order that they make: a vector each.
// CHECK-LABEL: func.func @permutation(
// CHECK: @cu_lu_pivots_to_permutation{{.*}}[<@mesh, [{"x", ?}, {"y", ?}, {?}]>]
func.func @permutation(%pivots: tensor<8x4x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) -> tensor<8x4x5xi32> {
  %0 = stablehlo.custom_call @cu_lu_pivots_to_permutation(%pivots) : (tensor<8x4x3xi32>) -> tensor<8x4x5xi32>
  return %0 : tensor<8x4x5xi32>
}

// Systems of equations by batch and by right sides.
// CHECK-LABEL: func.func @tridiagonal(
// CHECK: @cusparse_gtsv2_ffi{{.*}}[<@mesh, [{"x", ?}, {?}, {"y", ?}]>]
func.func @tridiagonal(%d: tensor<8x3xf32>, %b: tensor<8x3x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) -> tensor<8x3x6xf32> {
  %0 = stablehlo.custom_call @cusparse_gtsv2_ffi(%d, %d, %d, %b) : (tensor<8x3xf32>, tensor<8x3xf32>, tensor<8x3xf32>, tensor<8x3x6xf32>) -> tensor<8x3x6xf32>
  return %0 : tensor<8x3x6xf32>
}

// CHECK-LABEL: func.func @singular_values(
// CHECK: @hipsolver_gesdd_ffi{{.*}}[<@mesh, [{"x", ?}, {?}, {?}]>, <@mesh, [{"x", ?}, {?}]>, <@mesh, [{"x", ?}, {?}, {?}]>, <@mesh, [{"x", ?}, {?}, {?}]>, <@mesh, [{"x", ?}]>]
func.func @singular_values(%a: tensor<8x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<8x3xf32>, tensor<8x3x3xf32>) {
  %0:5 = stablehlo.custom_call @hipsolver_gesdd_ffi(%a) : (tensor<8x3x3xf32>) -> (tensor<8x3x3xf32>, tensor<8x3xf32>, tensor<8x3x3xf32>, tensor<8x3x3xf32>, tensor<8xi32>)
  return %0#1, %0#2 : tensor<8x3xf32>, tensor<8x3x3xf32>
}

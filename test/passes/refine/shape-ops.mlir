// RUN: spmd-opt %s --spmd-refine-shapes=sizes=3 | FileCheck %s

// Arithmetic on sizes in the dialects of MLIR is worked out, as that of StableHLO is.

// CHECK-LABEL: func.func @main
// CHECK-SAME: (%[[X:.*]]: tensor<3x4xf32>) -> (tensor<2x3x4xf32>, tensor<3x4xf32>, tensor<12xf32>, tensor<3xf32>)
// CHECK: stablehlo.broadcast_in_dim %[[X]], dims = [1, 2] : (tensor<3x4xf32>) -> tensor<2x3x4xf32>
// CHECK: stablehlo.reshape %[[X]] : (tensor<3x4xf32>) -> tensor<12xf32>
// CHECK: stablehlo.iota dim = 0 : tensor<3xf32>
// CHECK-NOT: shape.
// CHECK-NOT: tensor.
func.func @main(%x: tensor<?x4xf32>) -> (tensor<2x?x4xf32>, tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>) {
  %shape = shape.shape_of %x : tensor<?x4xf32> -> tensor<2xindex>
  %wide = shape.const_shape [2, 1, 1] : tensor<3xindex>
  %all = shape.broadcast %shape, %wide : tensor<2xindex>, tensor<3xindex> -> tensor<3xindex>
  %fits = shape.cstr_broadcastable %shape, %wide : tensor<2xindex>, tensor<3xindex>
  %0 = shape.assuming %fits -> (tensor<2x?x4xf32>) {
    %1 = stablehlo.dynamic_broadcast_in_dim %x, %all, dims = [1, 2] : (tensor<?x4xf32>, tensor<3xindex>) -> tensor<2x?x4xf32>
    shape.assuming_yield %1 : tensor<2x?x4xf32>
  }
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %rows = tensor.dim %x, %c0 : tensor<?x4xf32>
  %columns = tensor.extract %shape[%c1] : tensor<2xindex>
  %count = arith.muli %rows, %columns : index
  %flat = tensor.from_elements %count : tensor<1xindex>
  %2 = stablehlo.dynamic_reshape %x, %flat : (tensor<?x4xf32>, tensor<1xindex>) -> tensor<?xf32>
  %known = tensor.cast %x : tensor<?x4xf32> to tensor<3x4xf32>
  %open = tensor.cast %known : tensor<3x4xf32> to tensor<?x4xf32>
  %length = arith.index_cast %rows : index to i32
  %lengths = tensor.from_elements %length : tensor<1xi32>
  %3 = stablehlo.dynamic_iota %lengths, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
  return %0, %open, %2, %3 : tensor<2x?x4xf32>, tensor<?x4xf32>, tensor<?xf32>, tensor<?xf32>
}

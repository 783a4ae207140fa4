// RUN: spmd-opt %s --spmd-optimize | FileCheck %s

// A softmax and its gradient: what the row's sum is spread to is said once, though only what it is made of is alike.
// CHECK-LABEL: func.func @softmax_and_gradient(
// CHECK: %[[SPREAD:.+]] = stablehlo.broadcast_in_dim %{{.+}}, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x80xf32>
// CHECK-NEXT: stablehlo.divide %arg0, %[[SPREAD]]
// CHECK-NEXT: stablehlo.divide %arg1, %[[SPREAD]]
// CHECK-NEXT: return
func.func @softmax_and_gradient(%x: tensor<5x80xf32>, %y: tensor<5x80xf32>, %sum: tensor<5xf32>) -> (tensor<5x80xf32>, tensor<5x80xf32>) {
  %0 = stablehlo.reshape %sum : (tensor<5xf32>) -> tensor<5x1xf32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x80xf32>
  %2 = stablehlo.divide %x, %1 : tensor<5x80xf32>
  %3 = stablehlo.reshape %sum : (tensor<5xf32>) -> tensor<5x1xf32>
  %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<5x1xf32>) -> tensor<5x80xf32>
  %5 = stablehlo.divide %y, %4 : tensor<5x80xf32>
  return %2, %5 : tensor<5x80xf32>, tensor<5x80xf32>
}

// A product reads what is spread as a tensor of its own, which would be held from the first to the second.
// CHECK-LABEL: func.func @read_by_product(
// CHECK-COUNT-2: stablehlo.broadcast_in_dim
func.func @read_by_product(%x: tensor<9x80xf32>, %y: tensor<80x3xf32>, %row: tensor<80xf32>) -> (tensor<9x80xf32>, tensor<9x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<80xf32>) -> tensor<9x80xf32>
  %1 = stablehlo.add %x, %0 : tensor<9x80xf32>
  %2 = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<80xf32>) -> tensor<9x80xf32>
  %3 = stablehlo.dot_general %2, %y, contracting_dims = [1] x [0] : (tensor<9x80xf32>, tensor<80x3xf32>) -> tensor<9x3xf32>
  return %1, %3 : tensor<9x80xf32>, tensor<9x3xf32>
}

// Behind a barrier the sum is another value: what is computed again there stays apart.
// CHECK-LABEL: func.func @behind_barrier(
// CHECK-COUNT-2: stablehlo.broadcast_in_dim
func.func @behind_barrier(%x: tensor<5x80xf32>, %y: tensor<5x80xf32>, %sum: tensor<5xf32>) -> (tensor<5x80xf32>, tensor<5x80xf32>) {
  %0 = stablehlo.broadcast_in_dim %sum, dims = [0] : (tensor<5xf32>) -> tensor<5x80xf32>
  %1 = stablehlo.divide %x, %0 : tensor<5x80xf32>
  %2 = stablehlo.optimization_barrier %sum : tensor<5xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<5xf32>) -> tensor<5x80xf32>
  %4 = stablehlo.divide %y, %3 : tensor<5x80xf32>
  return %1, %4 : tensor<5x80xf32>, tensor<5x80xf32>
}

// CHECK-LABEL: func.func @read_by_product_first(
// CHECK-COUNT-2: stablehlo.broadcast_in_dim
func.func @read_by_product_first(%x: tensor<9x80xf32>, %y: tensor<80x3xf32>, %row: tensor<80xf32>) -> (tensor<9x80xf32>, tensor<9x3xf32>) {
  %0 = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<80xf32>) -> tensor<9x80xf32>
  %1 = stablehlo.dot_general %0, %y, contracting_dims = [1] x [0] : (tensor<9x80xf32>, tensor<80x3xf32>) -> tensor<9x3xf32>
  %2 = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<80xf32>) -> tensor<9x80xf32>
  %3 = stablehlo.add %x, %2 : tensor<9x80xf32>
  return %3, %1 : tensor<9x80xf32>, tensor<9x3xf32>
}

// What is hardly larger than what it is made of may be held as well.
// CHECK-LABEL: func.func @hardly_larger(
// CHECK-COUNT-2: stablehlo.broadcast_in_dim
func.func @hardly_larger(%x: tensor<5x80xf32>, %y: tensor<5x80xf32>, %row: tensor<80xf32>) -> (tensor<5x80xf32>, tensor<5x80xf32>) {
  %0 = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<80xf32>) -> tensor<5x80xf32>
  %1 = stablehlo.divide %x, %0 : tensor<5x80xf32>
  %2 = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<80xf32>) -> tensor<5x80xf32>
  %3 = stablehlo.divide %y, %2 : tensor<5x80xf32>
  return %1, %3 : tensor<5x80xf32>, tensor<5x80xf32>
}

// RUN: spmd-opt %s --spmd-compose-slices | FileCheck %s
// RUN: spmd-run %s
// Dims that are swapped and then merged stay apart, where what takes the merged dim can take the parts: the batch, which
// comes first and is split, would be the minor part.

sdy.mesh @mesh = <["x"=3]>

// A linear layer, and what is added to it.
// CHECK-LABEL: func @main
// CHECK: %[[T:.*]] = stablehlo.transpose %arg0, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
// CHECK: %[[D:.*]] = stablehlo.dot_general %[[T]], %arg1, contracting_dims = [2] x [0] : (tensor<4x6x8xf32>, tensor<8x5xf32>) -> tensor<4x6x5xf32>
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %arg2, dims = [2] : (tensor<5xf32>) -> tensor<4x6x5xf32>
// CHECK: %[[A:.*]] = stablehlo.add %[[D]], %[[B]] : tensor<4x6x5xf32>
// CHECK: %[[C:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<4x6x5xf32>
// CHECK: %[[M:.*]] = stablehlo.multiply %[[A]], %[[C]] : tensor<4x6x5xf32>
// CHECK: stablehlo.transpose %[[M]], dims = [1, 0, 2] : (tensor<4x6x5xf32>) -> tensor<6x4x5xf32>
// Its gradients sum over both parts.
// CHECK: stablehlo.dot_general %[[T]], %[[M]], contracting_dims = [0, 1] x [0, 1] : (tensor<4x6x8xf32>, tensor<4x6x5xf32>) -> tensor<8x5xf32>
// CHECK: stablehlo.reduce(%[[M]] init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x6x5xf32>, tensor<f32>) -> tensor<5xf32>
func.func @main(%x: tensor<6x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %w: tensor<8x5xf32>, %b: tensor<5xf32>)
    -> (tensor<6x4x5xf32>, tensor<8x5xf32>, tensor<5xf32>) {
  %t = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
  %rows = stablehlo.reshape %t : (tensor<4x6x8xf32>) -> tensor<24x8xf32>
  %0 = stablehlo.dot_general %rows, %w, contracting_dims = [1] x [0] : (tensor<24x8xf32>, tensor<8x5xf32>) -> tensor<24x5xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<5xf32>) -> tensor<24x5xf32>
  %2 = stablehlo.add %0, %1 : tensor<24x5xf32>
  %two = stablehlo.constant dense<2.0> : tensor<24x5xf32>
  %3 = stablehlo.multiply %2, %two : tensor<24x5xf32>
  %4 = stablehlo.reshape %3 : (tensor<24x5xf32>) -> tensor<4x6x5xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0, 2] : (tensor<4x6x5xf32>) -> tensor<6x4x5xf32>
  %6 = stablehlo.dot_general %rows, %3, contracting_dims = [0] x [0] : (tensor<24x8xf32>, tensor<24x5xf32>) -> tensor<8x5xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %7 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<24x5xf32>, tensor<f32>) -> tensor<5xf32>
  return %5, %6, %7 : tensor<6x4x5xf32>, tensor<8x5xf32>, tensor<5xf32>
}

// Batched products, of heads that lie in front of the batch; a transpose of the merged dim, and sums and what is repeated
// along another one.
// CHECK-LABEL: func private @attention
// CHECK: %[[S:.*]] = stablehlo.dot_general %{{.*}}, %{{.*}}, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3] : (tensor<2x6x4x3xf32>, tensor<2x6x4x3xf32>) -> tensor<2x6x4x4xf32>
// CHECK: %[[R:.*]] = stablehlo.reduce(%[[S]] {{.*}} across dimensions = [3] : (tensor<2x6x4x4xf32>, tensor<f32>) -> tensor<2x6x4xf32>
// CHECK: %[[E:.*]] = stablehlo.broadcast_in_dim %[[R]], dims = [0, 1, 2] : (tensor<2x6x4xf32>) -> tensor<2x6x4x4xf32>
// CHECK: %[[N:.*]] = stablehlo.divide %[[S]], %[[E]] : tensor<2x6x4x4xf32>
// CHECK: %[[P:.*]] = stablehlo.transpose %[[N]], dims = [2, 0, 1, 3] : (tensor<2x6x4x4xf32>) -> tensor<4x2x6x4xf32>
// CHECK: return %[[P]]
func.func private @attention(%q: tensor<6x2x4x3xf32>, %k: tensor<6x2x4x3xf32>) -> tensor<4x2x6x4xf32> {
  %0 = stablehlo.transpose %q, dims = [1, 0, 2, 3] : (tensor<6x2x4x3xf32>) -> tensor<2x6x4x3xf32>
  %1 = stablehlo.reshape %0 : (tensor<2x6x4x3xf32>) -> tensor<12x4x3xf32>
  %2 = stablehlo.transpose %k, dims = [1, 0, 2, 3] : (tensor<6x2x4x3xf32>) -> tensor<2x6x4x3xf32>
  %3 = stablehlo.reshape %2 : (tensor<2x6x4x3xf32>) -> tensor<12x4x3xf32>
  %4 = stablehlo.dot_general %1, %3, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<12x4x3xf32>, tensor<12x4x3xf32>) -> tensor<12x4x4xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %5 = stablehlo.reduce(%4 init: %zero) applies stablehlo.add across dimensions = [2] : (tensor<12x4x4xf32>, tensor<f32>) -> tensor<12x4xf32>
  %6 = stablehlo.broadcast_in_dim %5, dims = [0, 1] : (tensor<12x4xf32>) -> tensor<12x4x4xf32>
  %7 = stablehlo.divide %4, %6 : tensor<12x4x4xf32>
  %8 = stablehlo.transpose %7, dims = [1, 0, 2] : (tensor<12x4x4xf32>) -> tensor<4x12x4xf32>
  %9 = stablehlo.reshape %8 : (tensor<4x12x4xf32>) -> tensor<4x2x6x4xf32>
  return %9 : tensor<4x2x6x4xf32>
}

// In the order in which they were, they are merged as before; so is what is pinned.
// CHECK-LABEL: func private @merged
// CHECK: stablehlo.dot_general {{.*}} -> tensor<24x5xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<24x5xf32>
func.func private @merged(%x: tensor<4x6x8xf32>, %w: tensor<8x5xf32>) -> (tensor<4x6x5xf32>, tensor<6x4x5xf32>) {
  %0 = stablehlo.reshape %x : (tensor<4x6x8xf32>) -> tensor<24x8xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<24x8xf32>, tensor<8x5xf32>) -> tensor<24x5xf32>
  %2 = stablehlo.reshape %1 : (tensor<24x5xf32>) -> tensor<4x6x5xf32>
  %3 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<4x6x8xf32>) -> tensor<6x4x8xf32>
  %4 = stablehlo.reshape %3 : (tensor<6x4x8xf32>) -> tensor<24x8xf32>
  %5 = stablehlo.dot_general %4, %w, contracting_dims = [1] x [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (tensor<24x8xf32>, tensor<8x5xf32>) -> tensor<24x5xf32>
  %6 = stablehlo.reshape %5 : (tensor<24x5xf32>) -> tensor<6x4x5xf32>
  return %2, %6 : tensor<4x6x5xf32>, tensor<6x4x5xf32>
}

// A sum over the merged dim that is as large as what is merged: nothing is apart, not before it either.
// CHECK-LABEL: func private @large_sum
// CHECK: stablehlo.dot_general {{.*}} -> tensor<24x8xf32>
// CHECK: stablehlo.dot_general {{.*}} -> tensor<8x8xf32>
func.func private @large_sum(%x: tensor<6x4x8xf32>, %w: tensor<8x8xf32>) -> (tensor<4x6x8xf32>, tensor<8x8xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x6x8xf32>) -> tensor<24x8xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<24x8xf32>, tensor<8x8xf32>) -> tensor<24x8xf32>
  %3 = stablehlo.reshape %2 : (tensor<24x8xf32>) -> tensor<4x6x8xf32>
  // The same rows, shown once more.
  %4 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
  %5 = stablehlo.reshape %4 : (tensor<4x6x8xf32>) -> tensor<24x8xf32>
  %6 = stablehlo.dot_general %5, %2, contracting_dims = [0] x [0] : (tensor<24x8xf32>, tensor<24x8xf32>) -> tensor<8x8xf32>
  return %3, %6 : tensor<4x6x8xf32>, tensor<8x8xf32>
}

// Something needs the merged dim: it would be merged behind all that is apart.
// CHECK-LABEL: func private @sorted
// CHECK: stablehlo.dot_general {{.*}} -> tensor<24x5xf32>
func.func private @sorted(%x: tensor<6x4x8xf32>, %w: tensor<8x5xf32>) -> (tensor<4x6x5xf32>, tensor<24x5xf32>) {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x6x8xf32>) -> tensor<24x8xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<24x8xf32>, tensor<8x5xf32>) -> tensor<24x5xf32>
  %3 = stablehlo.reshape %2 : (tensor<24x5xf32>) -> tensor<4x6x5xf32>
  %4 = stablehlo.reverse %2, dims = [0] : tensor<24x5xf32>
  return %3, %4 : tensor<4x6x5xf32>, tensor<24x5xf32>
}

// Windows of an image, the columns of each before its rows, as one dim: what is repeated along it takes its parts, though it
// shows none.
// CHECK-LABEL: func private @windows
// CHECK: %[[P:.*]] = stablehlo.dot_general {{.*}} -> tensor<3x4x2x3x2x3xf32>
// CHECK: %[[M:.*]] = stablehlo.reduce(%[[P]] {{.*}} across dimensions = [4, 5] : {{.*}} -> tensor<3x4x2x3xf32>
// CHECK: %[[B:.*]] = stablehlo.broadcast_in_dim %[[M]], dims = [0, 1, 2, 3] : (tensor<3x4x2x3xf32>) -> tensor<3x4x2x3x2x3xf32>
// CHECK: %[[D:.*]] = stablehlo.subtract %[[P]], %[[B]] : tensor<3x4x2x3x2x3xf32>
// CHECK: return %[[D]]
func.func private @windows(%x: tensor<12x6x8xf32>) -> tensor<3x4x2x3x2x3xf32> {
  %0 = stablehlo.reshape %x : (tensor<12x6x8xf32>) -> tensor<4x3x3x2x8xf32>
  %1 = stablehlo.transpose %0, dims = [2, 0, 3, 1, 4] : (tensor<4x3x3x2x8xf32>) -> tensor<3x4x2x3x8xf32>
  %2 = stablehlo.reshape %1 : (tensor<3x4x2x3x8xf32>) -> tensor<12x6x8xf32>
  %3 = stablehlo.dot_general %2, %2, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<12x6x8xf32>, tensor<12x6x8xf32>) -> tensor<12x6x6xf32>
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %4 = stablehlo.reduce(%3 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<12x6x6xf32>, tensor<f32>) -> tensor<12x6xf32>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0, 1] : (tensor<12x6xf32>) -> tensor<12x6x6xf32>
  %6 = stablehlo.subtract %3, %5 : tensor<12x6x6xf32>
  %7 = stablehlo.reshape %6 : (tensor<12x6x6xf32>) -> tensor<3x4x2x3x2x3xf32>
  return %7 : tensor<3x4x2x3x2x3xf32>
}

// The rule of a reshape is of the merged dim.
// CHECK-LABEL: func private @ruled
// CHECK: stablehlo.dot_general {{.*}} -> tensor<24x5xf32>
// CHECK: stablehlo.reshape {{.*}}sdy.sharding_rule{{.*}} : (tensor<24x5xf32>) -> tensor<4x6x5xf32>
func.func private @ruled(%x: tensor<6x4x8xf32>, %w: tensor<8x5xf32>) -> tensor<4x6x5xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<6x4x8xf32>) -> tensor<4x6x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<4x6x8xf32>) -> tensor<24x8xf32>
  %2 = stablehlo.dot_general %1, %w, contracting_dims = [1] x [0] : (tensor<24x8xf32>, tensor<8x5xf32>) -> tensor<24x5xf32>
  %3 = stablehlo.reshape %2 {sdy.sharding_rule = #sdy.op_sharding_rule<([ij, k])->([i, j, k]) {i=4, j=6, k=5}, custom>} : (tensor<24x5xf32>) -> tensor<4x6x5xf32>
  return %3 : tensor<4x6x5xf32>
}

// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=2], device_ids=[3, 1, 0, 2, 5, 4]>/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/MESH/<["x"=7, "y"=1]>/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/MESH/<["x"=1, "y"=5]>/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/MESH/<["y"=3, "x"=4]>/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL

// Attention that puts tokens before the batch, and sees both as rows, heads within the batch; the batch is split. Only sums
// over it move: 8 x 4 and 4 elements.
// CHECK: collectives
// CHECK-NEXT: all_reduce {{ *}}1 {{ *}}144 {{ *}}144
// CHECK-NEXT: memory
// CHECK: equal: yes
// EQUAL: equal: yes
sdy.mesh @mesh = MESH

func.func public @main(%x: tensor<10x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %w: tensor<8x24xf32>,
    %o: tensor<8x4xf32>, %b: tensor<4xf32>, %mask: tensor<6x6xi1>)
    -> (tensor<10x6x4xf32>, tensor<8x4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %low = stablehlo.constant dense<-1.0e9> : tensor<f32>
  %0 = stablehlo.transpose %x, dims = [1, 0, 2] : (tensor<10x6x8xf32>) -> tensor<6x10x8xf32>
  %rows = stablehlo.reshape %0 : (tensor<6x10x8xf32>) -> tensor<60x8xf32>
  %1 = stablehlo.dot_general %rows, %w, contracting_dims = [1] x [0] : (tensor<60x8xf32>, tensor<8x24xf32>) -> tensor<60x24xf32>
  %2 = stablehlo.reshape %1 : (tensor<60x24xf32>) -> tensor<6x10x3x8xf32>
  %3 = stablehlo.transpose %2, dims = [2, 0, 1, 3] : (tensor<6x10x3x8xf32>) -> tensor<3x6x10x8xf32>
  %q = stablehlo.slice %3 [0:1, 0:6, 0:10, 0:8] : (tensor<3x6x10x8xf32>) -> tensor<1x6x10x8xf32>
  %k = stablehlo.slice %3 [1:2, 0:6, 0:10, 0:8] : (tensor<3x6x10x8xf32>) -> tensor<1x6x10x8xf32>
  %v = stablehlo.slice %3 [2:3, 0:6, 0:10, 0:8] : (tensor<3x6x10x8xf32>) -> tensor<1x6x10x8xf32>
  %q1 = stablehlo.reshape %q : (tensor<1x6x10x8xf32>) -> tensor<6x20x4xf32>
  %k1 = stablehlo.reshape %k : (tensor<1x6x10x8xf32>) -> tensor<6x20x4xf32>
  %v1 = stablehlo.reshape %v : (tensor<1x6x10x8xf32>) -> tensor<6x20x4xf32>
  %q2 = stablehlo.transpose %q1, dims = [1, 0, 2] : (tensor<6x20x4xf32>) -> tensor<20x6x4xf32>
  %k2 = stablehlo.transpose %k1, dims = [1, 2, 0] : (tensor<6x20x4xf32>) -> tensor<20x4x6xf32>
  %v2 = stablehlo.transpose %v1, dims = [1, 0, 2] : (tensor<6x20x4xf32>) -> tensor<20x6x4xf32>
  %4 = stablehlo.dot_general %q2, %k2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<20x6x4xf32>, tensor<20x4x6xf32>) -> tensor<20x6x6xf32>
  %5 = stablehlo.broadcast_in_dim %mask, dims = [1, 2] : (tensor<6x6xi1>) -> tensor<20x6x6xi1>
  %6 = stablehlo.broadcast_in_dim %low, dims = [] : (tensor<f32>) -> tensor<20x6x6xf32>
  %7 = stablehlo.select %5, %4, %6 : tensor<20x6x6xi1>, tensor<20x6x6xf32>
  %8 = stablehlo.reduce(%7 init: %low) applies stablehlo.maximum across dimensions = [2] : (tensor<20x6x6xf32>, tensor<f32>) -> tensor<20x6xf32>
  %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1] : (tensor<20x6xf32>) -> tensor<20x6x6xf32>
  %10 = stablehlo.subtract %7, %9 : tensor<20x6x6xf32>
  %11 = stablehlo.exponential %10 : tensor<20x6x6xf32>
  %12 = stablehlo.dot_general %11, %v2, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<20x6x6xf32>, tensor<20x6x4xf32>) -> tensor<20x6x4xf32>
  %13 = stablehlo.transpose %12, dims = [1, 0, 2] : (tensor<20x6x4xf32>) -> tensor<6x20x4xf32>
  %14 = stablehlo.reshape %13 : (tensor<6x20x4xf32>) -> tensor<60x8xf32>
  %15 = stablehlo.dot_general %14, %o, contracting_dims = [1] x [0] : (tensor<60x8xf32>, tensor<8x4xf32>) -> tensor<60x4xf32>
  %16 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<4xf32>) -> tensor<60x4xf32>
  %17 = stablehlo.add %15, %16 : tensor<60x4xf32>
  %18 = stablehlo.tanh %17 : tensor<60x4xf32>
  %19 = stablehlo.reshape %18 : (tensor<60x4xf32>) -> tensor<6x10x4xf32>
  %20 = stablehlo.transpose %19, dims = [1, 0, 2] : (tensor<6x10x4xf32>) -> tensor<10x6x4xf32>
  %21 = stablehlo.dot_general %rows, %18, contracting_dims = [0] x [0] : (tensor<60x8xf32>, tensor<60x4xf32>) -> tensor<8x4xf32>
  %22 = stablehlo.reduce(%18 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<60x4xf32>, tensor<f32>) -> tensor<4xf32>
  return %20, %21, %22 : tensor<10x6x4xf32>, tensor<8x4xf32>, tensor<4xf32>
}

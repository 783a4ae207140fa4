// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefixes=CHECK,ON %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s --check-prefixes=CHECK,OFF %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// A transpose of a weight is a view. Its sharding goes through the view (rows of the weight are columns of
// what the view shows), and what is stored through the view changes the weight, not how it lies.

sdy.mesh @mesh = <["tp"=4]>

// CHECK-LABEL: func.func @main
// ON-SAME: %[[W:[^:]*]]: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, spmd.global_type = tensor<32x10xf32>, tf.aliasing_output = 2 : i32}
// OFF-SAME: %[[W:[^:]*]]: !spmd.buffer<tensor<8x10xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, spmd.global_type = tensor<32x10xf32>, tf.aliasing_output = 2 : i32}
// CHECK-SAME: -> (tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"tp", ?}]>, spmd.global_type = tensor<8x32xf32>}
// CHECK-SAME: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp", ?}, {?}]>, spmd.global_type = tensor<32x10xf32>}
// CHECK-SAME: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, spmd.global_type = tensor<32x10xf32>})
// OFF: %[[OLD:.*]] = spmd.load %[[W]]
// OFF: stablehlo.transpose %[[OLD]], dims = [1, 0] : (tensor<8x10xf32>) -> tensor<10x8xf32>
// ON: stablehlo.transpose %[[W]], dims = [1, 0] : (tensor<8x10xf32>) -> tensor<10x8xf32>
// CHECK: stablehlo.dot_general %{{.*}} : (tensor<8x10xf32>, tensor<10x8xf32>) -> tensor<8x8xf32>
// CHECK: %[[HALF:.*]] = stablehlo.multiply %{{.*}} : tensor<10x8xf32>
// CHECK: %[[NEW:.*]] = stablehlo.transpose %[[HALF]], dims = [1, 0] : (tensor<10x8xf32>) -> tensor<8x10xf32>
// ON: return %{{.*}}, %[[NEW]], %[[NEW]]
// OFF: spmd.store %[[NEW]], %[[W]] : !spmd.buffer<tensor<8x10xf32>>
// OFF: spmd.load %[[W]]
func.func @main(%x: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %w1: !spmd.buffer<tensor<32x10xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>})
    -> (tensor<8x32xf32>, tensor<32x10xf32>) {
  %v = spmd.transpose_view %w1, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"tp"}]>]>}
      : (!spmd.buffer<tensor<32x10xf32>>) -> !spmd.buffer<tensor<10x32xf32>>
  %w1t = spmd.load %v : !spmd.buffer<tensor<10x32xf32>>
  %h = stablehlo.dot_general %x, %w1t, contracting_dims = [1] x [0] : (tensor<8x10xf32>, tensor<10x32xf32>) -> tensor<8x32xf32>
  %half = stablehlo.constant dense<0.5> : tensor<10x32xf32>
  %new = stablehlo.multiply %w1t, %half : tensor<10x32xf32>
  spmd.store %new, %v : !spmd.buffer<tensor<10x32xf32>>
  %read = spmd.load %w1 : !spmd.buffer<tensor<32x10xf32>>
  return %h, %read : tensor<8x32xf32>, tensor<32x10xf32>
}

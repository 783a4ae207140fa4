// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefixes=CHECK,ON %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s --check-prefixes=CHECK,OFF %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// A training step that updates its parameters in place: one all-reduce in the forward pass, none for the
// gradients, none in the update. Each of the four parameters is donated to its new value, which has its sharding.
// The bias may be added before the all-reduce, on one device, or behind it.

sdy.mesh @mesh = <["data"=1, "tp"=4]>

// CHECK-LABEL: func.func @main
// ON-SAME: %[[W1:.*]]: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, spmd.global_type = tensor<32x10xf32>, tf.aliasing_output = 0 : i32}
// ON-SAME: %[[B1:.*]]: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}]>, spmd.global_type = tensor<32xf32>, tf.aliasing_output = 1 : i32}
// ON-SAME: %[[W2:.*]]: tensor<5x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>, spmd.global_type = tensor<5x32xf32>, tf.aliasing_output = 2 : i32}
// ON-SAME: %[[B2:.*]]: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, spmd.global_type = tensor<5xf32>, tf.aliasing_output = 3 : i32}
// OFF-SAME: %[[W1:.*]]: !spmd.buffer<tensor<8x10xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, spmd.global_type = tensor<32x10xf32>, tf.aliasing_output = 0 : i32}
// OFF-SAME: %[[B1:.*]]: !spmd.buffer<tensor<8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}]>, spmd.global_type = tensor<32xf32>, tf.aliasing_output = 1 : i32}
// OFF-SAME: %[[W2:.*]]: !spmd.buffer<tensor<5x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>, spmd.global_type = tensor<5x32xf32>, tf.aliasing_output = 2 : i32}
// OFF-SAME: %[[B2:.*]]: !spmd.buffer<tensor<5xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, spmd.global_type = tensor<5xf32>, tf.aliasing_output = 3 : i32}
// CHECK-SAME: -> (tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, spmd.global_type = tensor<32x10xf32>},
// CHECK-SAME: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}]>, spmd.global_type = tensor<32xf32>},
// CHECK-SAME: tensor<5x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>, spmd.global_type = tensor<5x32xf32>},
// CHECK-SAME: tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, spmd.global_type = tensor<5xf32>})
// CHECK: stablehlo.dot_general %{{.*}} : (tensor<8x10xf32>, tensor<10x8xf32>) -> tensor<8x8xf32>
// CHECK: stablehlo.dot_general %{{.*}} : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
// CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"
// CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 1, 2, 3]]>
// CHECK: (tensor<8x5xf32>) -> tensor<8x5xf32>
func.func @main(%x: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %target: tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %w1: !spmd.buffer<tensor<32x10xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>},
                %b1: !spmd.buffer<tensor<32xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}]>},
                %w2: !spmd.buffer<tensor<5x32xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>},
                %b2: !spmd.buffer<tensor<5xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<8x32xf32>
  %w1t = spmd.transpose_view %w1, dims = [1, 0] : (!spmd.buffer<tensor<32x10xf32>>) -> !spmd.buffer<tensor<10x32xf32>>
  %w2t = spmd.transpose_view %w2, dims = [1, 0] : (!spmd.buffer<tensor<5x32xf32>>) -> !spmd.buffer<tensor<32x5xf32>>
  %w1_in = spmd.load %w1t : !spmd.buffer<tensor<10x32xf32>>
  %b1_in = spmd.load %b1 : !spmd.buffer<tensor<32xf32>>
  %w2_in = spmd.load %w2t : !spmd.buffer<tensor<32x5xf32>>
  %b2_in = spmd.load %b2 : !spmd.buffer<tensor<5xf32>>
  %0 = stablehlo.dot_general %x, %w1_in, contracting_dims = [1] x [0] : (tensor<8x10xf32>, tensor<10x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.broadcast_in_dim %b1_in, dims = [1] : (tensor<32xf32>) -> tensor<8x32xf32>
  %z = stablehlo.add %0, %1 : tensor<8x32xf32>
  %h = stablehlo.maximum %z, %zero : tensor<8x32xf32>
  %2 = stablehlo.dot_general %h, %w2_in, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x5xf32>) -> tensor<8x5xf32>
  %3 = stablehlo.broadcast_in_dim %b2_in, dims = [1] : (tensor<5xf32>) -> tensor<8x5xf32>
  %y = stablehlo.add %2, %3 : tensor<8x5xf32>
  %dy = stablehlo.subtract %y, %target : tensor<8x5xf32>
  %scalar_zero = stablehlo.constant dense<0.0> : tensor<f32>
  %dw2 = stablehlo.dot_general %dy, %h, contracting_dims = [0] x [0] : (tensor<8x5xf32>, tensor<8x32xf32>) -> tensor<5x32xf32>
  %db2 = stablehlo.reduce(%dy init: %scalar_zero) applies stablehlo.add across dimensions = [0] : (tensor<8x5xf32>, tensor<f32>) -> tensor<5xf32>
  %dh = stablehlo.dot_general %dy, %w2_in, contracting_dims = [1] x [1] : (tensor<8x5xf32>, tensor<32x5xf32>) -> tensor<8x32xf32>
  %active = stablehlo.compare GT, %z, %zero : (tensor<8x32xf32>, tensor<8x32xf32>) -> tensor<8x32xi1>
  %dz = stablehlo.select %active, %dh, %zero : tensor<8x32xi1>, tensor<8x32xf32>
  %dw1 = stablehlo.dot_general %dz, %x, contracting_dims = [0] x [0] : (tensor<8x32xf32>, tensor<8x10xf32>) -> tensor<32x10xf32>
  %db1 = stablehlo.reduce(%dz init: %scalar_zero) applies stablehlo.add across dimensions = [0] : (tensor<8x32xf32>, tensor<f32>) -> tensor<32xf32>
  %lr_w1 = stablehlo.constant dense<0.125> : tensor<32x10xf32>
  %step_w1 = stablehlo.multiply %dw1, %lr_w1 : tensor<32x10xf32>
  %old_w1 = spmd.load %w1 : !spmd.buffer<tensor<32x10xf32>>
  %new_w1 = stablehlo.subtract %old_w1, %step_w1 : tensor<32x10xf32>
  spmd.store %new_w1, %w1 : !spmd.buffer<tensor<32x10xf32>>
  %lr_b1 = stablehlo.constant dense<0.125> : tensor<32xf32>
  %step_b1 = stablehlo.multiply %db1, %lr_b1 : tensor<32xf32>
  %old_b1 = spmd.load %b1 : !spmd.buffer<tensor<32xf32>>
  %new_b1 = stablehlo.subtract %old_b1, %step_b1 : tensor<32xf32>
  spmd.store %new_b1, %b1 : !spmd.buffer<tensor<32xf32>>
  %lr_w2 = stablehlo.constant dense<0.125> : tensor<5x32xf32>
  %step_w2 = stablehlo.multiply %dw2, %lr_w2 : tensor<5x32xf32>
  %old_w2 = spmd.load %w2 : !spmd.buffer<tensor<5x32xf32>>
  %new_w2 = stablehlo.subtract %old_w2, %step_w2 : tensor<5x32xf32>
  spmd.store %new_w2, %w2 : !spmd.buffer<tensor<5x32xf32>>
  %lr_b2 = stablehlo.constant dense<0.125> : tensor<5xf32>
  %step_b2 = stablehlo.multiply %db2, %lr_b2 : tensor<5xf32>
  %old_b2 = spmd.load %b2 : !spmd.buffer<tensor<5xf32>>
  %new_b2 = stablehlo.subtract %old_b2, %step_b2 : tensor<5xf32>
  spmd.store %new_b2, %b2 : !spmd.buffer<tensor<5xf32>>
  return
}

// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefixes=CHECK,ON %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s --check-prefixes=CHECK,OFF %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// An MLP with the first layer split by columns, the second by rows: one all-reduce, before the bias is added.

sdy.mesh @mesh = <["data"=1, "tp"=4]>

// CHECK-LABEL: func.func @main
// ON-SAME: %[[X:.*]]: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x10xf32>}
// ON-SAME: %[[W1:.*]]: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, spmd.global_type = tensor<32x10xf32>}
// ON-SAME: %[[B1:.*]]: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}]>, spmd.global_type = tensor<32xf32>}
// ON-SAME: %[[W2:.*]]: tensor<5x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>, spmd.global_type = tensor<5x32xf32>}
// OFF-SAME: %[[X:.*]]: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x10xf32>}
// OFF-SAME: %[[W1:.*]]: !spmd.buffer<tensor<8x10xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, spmd.global_type = tensor<32x10xf32>}
// OFF-SAME: %[[B1:.*]]: !spmd.buffer<tensor<8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}]>, spmd.global_type = tensor<32xf32>}
// OFF-SAME: %[[W2:.*]]: !spmd.buffer<tensor<5x8xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>, spmd.global_type = tensor<5x32xf32>}
// CHECK-SAME: -> (tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x5xf32>})
// CHECK: stablehlo.dot_general %{{.*}} : (tensor<8x10xf32>, tensor<10x8xf32>) -> tensor<8x8xf32>
// CHECK: %[[PARTIAL:.*]] = stablehlo.dot_general %{{.*}} : (tensor<8x8xf32>, tensor<8x5xf32>) -> tensor<8x5xf32>
// CHECK: %[[BIAS:.*]] = stablehlo.broadcast_in_dim {{.*}} -> tensor<8x5xf32>
// CHECK: %[[SUM:.*]] = "stablehlo.all_reduce"(%[[PARTIAL]])
// CHECK-SAME{LITERAL}: replica_groups = dense<[[0, 1, 2, 3]]>
// CHECK: (tensor<8x5xf32>) -> tensor<8x5xf32>
// CHECK: stablehlo.add %[[SUM]], %[[BIAS]]
func.func @main(%x: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %w1: !spmd.buffer<tensor<32x10xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>},
                %b1: !spmd.buffer<tensor<32xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}]>},
                %w2: !spmd.buffer<tensor<5x32xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>},
                %b2: !spmd.buffer<tensor<5xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
    -> (tensor<8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
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
  return %y : tensor<8x5xf32>
}

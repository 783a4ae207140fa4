// RUN: echo 'entry { argument: "image" sharding: "[{\"fsdp\"}, {}, {}, {}]" } entry { argument: "*" priority: 1 fsdp { axis: "fsdp" } }' > %t.plan
// RUN: spmd-opt %s --spmd-pipeline="plan=%t.plan bucket-bytes=0" | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: spmd-opt %s --spmd-pipeline="plan=%t.plan bucket-bytes=0 functionalize=false" | FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: spmd-run %s --plan=%t.plan --json=%t.json
// RUN: %python %S/../at_most.py %t.json wire_bytes_per_device 2964
// RUN: spmd-run %s --plan=%t.plan --no-functionalize
// RUN: sed 's/"fsdp"=4/"fsdp"=8/' %s > %t.8.mlir
// RUN: spmd-opt %t.8.mlir --spmd-pipeline="plan=%t.plan bucket-bytes=0" | FileCheck %s --check-prefixes=CHECK,EIGHT
// RUN: spmd-run %t.8.mlir --plan=%t.plan --json=%t.8.json
// RUN: %python %S/../at_most.py %t.8.json wire_bytes_per_device 3248
// The layers around the blocks, under a plan: each parameter is sharded along its largest dim, the first on ties, also where
// the devices do not divide it (10 classes over 4: 3, 3, 3, 1). A scalar is replicated. The batch comes first by priority.
// Gathering all parameters sends 3,156 bytes on four devices and 3,696 on eight. The weight of the head is larger than its
// input, so the plan splits the features of the input and reduce-scatters the result.

sdy.mesh @mesh = <["fsdp"=4, "model"=1]>

// CHECK-LABEL: func.func @main
// FOUR-SAME: tensor<2x3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}, {}, {}]>, spmd.global_type = tensor<8x3x8x8xf32>}
// FOUR-SAME: tensor<4x3x4x4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}, {}, {}]>, spmd.global_type = tensor<16x3x4x4xf32>}
// FOUR-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// FOUR-SAME: tensor<1x1x4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"fsdp"}p1]>, spmd.global_type = tensor<1x1x16xf32>}
// FOUR-SAME: tensor<1x5x4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"fsdp"}p1]>, spmd.global_type = tensor<1x5x16xf32>}
// FOUR-SAME: tensor<f32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, []>, spmd.global_type = tensor<f32>}
// FOUR-SAME: tensor<10x4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}p1]>, spmd.global_type = tensor<10x16xf32>}
// FOUR-SAME: tensor<3xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<10xf32>}
// FOUR-SAME: -> (tensor<2x10xf32>
// EIGHT-SAME: tensor<1x3x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}, {}, {}]>, spmd.global_type = tensor<8x3x8x8xf32>}
// EIGHT-SAME: tensor<2x3x4x4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1, {}, {}, {}]>
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>
// EIGHT-SAME: tensor<1x1x2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"fsdp"}p1]>
// EIGHT-SAME: tensor<1x5x2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {"fsdp"}p1]>
// EIGHT-SAME: tensor<10x2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}p1]>
// EIGHT-SAME: tensor<2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<10xf32>}
// EIGHT-SAME: -> (tensor<1x10xf32>
// CHECK: "stablehlo.reduce_scatter"
// CHECK-NOT: "stablehlo.all_reduce"
func.func @main(%image: tensor<8x3x8x8xf32>, %patch: !spmd.buffer<tensor<16x3x4x4xf32>>, %patch_bias: !spmd.buffer<tensor<16xf32>>,
                %cls: !spmd.buffer<tensor<1x1x16xf32>>, %pos: !spmd.buffer<tensor<1x5x16xf32>>, %scale: !spmd.buffer<tensor<f32>>,
                %head: !spmd.buffer<tensor<10x16xf32>>, %head_bias: !spmd.buffer<tensor<10xf32>>) -> tensor<8x10xf32> {
  %w = spmd.load %patch : !spmd.buffer<tensor<16x3x4x4xf32>>
  %b = spmd.load %patch_bias : !spmd.buffer<tensor<16xf32>>
  %0 = stablehlo.convolution(%image, %w) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {stride = [4, 4]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<8x3x8x8xf32>, tensor<16x3x4x4xf32>) -> tensor<8x16x2x2xf32>
  %1 = stablehlo.reshape %0 : (tensor<8x16x2x2xf32>) -> tensor<8x16x4xf32>
  %2 = stablehlo.transpose %1, dims = [0, 2, 1] : (tensor<8x16x4xf32>) -> tensor<8x4x16xf32>
  %3 = stablehlo.broadcast_in_dim %b, dims = [2] : (tensor<16xf32>) -> tensor<8x4x16xf32>
  %4 = stablehlo.add %2, %3 : tensor<8x4x16xf32>
  %c = spmd.load %cls : !spmd.buffer<tensor<1x1x16xf32>>
  %5 = stablehlo.broadcast_in_dim %c, dims = [0, 1, 2] : (tensor<1x1x16xf32>) -> tensor<8x1x16xf32>
  %6 = stablehlo.concatenate %5, %4, dim = 1 : (tensor<8x1x16xf32>, tensor<8x4x16xf32>) -> tensor<8x5x16xf32>
  %p = spmd.load %pos : !spmd.buffer<tensor<1x5x16xf32>>
  %7 = stablehlo.broadcast_in_dim %p, dims = [0, 1, 2] : (tensor<1x5x16xf32>) -> tensor<8x5x16xf32>
  %8 = stablehlo.add %6, %7 : tensor<8x5x16xf32>
  %s = spmd.load %scale : !spmd.buffer<tensor<f32>>
  %9 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<8x5x16xf32>
  %10 = stablehlo.multiply %8, %9 : tensor<8x5x16xf32>
  %11 = stablehlo.slice %10 [0:8, 0:1, 0:16] : (tensor<8x5x16xf32>) -> tensor<8x1x16xf32>
  %12 = stablehlo.reshape %11 : (tensor<8x1x16xf32>) -> tensor<8x16xf32>
  %h = spmd.load %head : !spmd.buffer<tensor<10x16xf32>>
  %13 = stablehlo.dot_general %12, %h, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<10x16xf32>) -> tensor<8x10xf32>
  %hb = spmd.load %head_bias : !spmd.buffer<tensor<10xf32>>
  %14 = stablehlo.broadcast_in_dim %hb, dims = [1] : (tensor<10xf32>) -> tensor<8x10xf32>
  %15 = stablehlo.add %13, %14 : tensor<8x10xf32>
  return %15 : tensor<8x10xf32>
}

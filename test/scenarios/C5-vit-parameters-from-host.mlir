// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s --check-prefix=FREE
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=FREE
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// Parameters are allocated, then filled from the host. Neither says how they lie: the first learns it from the
// sharding that is put on what is read of it later, and a quarter of it lies on each device. The second is
// pinned to lie whole, and stays so.

sdy.mesh @mesh = <["fsdp"=4]>

// FREE-LABEL: func.func @main
// FREE-SAME: tensor<64x16xf32>{{>?}} {tf.aliasing_output = 1 : i32}
// FREE-SAME: tensor<16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 2 : i32}
// FREE-SAME: %{{[^:]*}}: tensor<64x16xf32>, %{{[^:]*}}: tensor<16xf32>)
// FREE-SAME: -> (tensor<64x16xf32>, tensor<64x16xf32>, tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<16x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>, spmd.global_type = tensor<64x16xf32>, tf.aliasing_output = 1 : i32}
// CHECK-SAME: tensor<16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}]>, spmd.global_type = tensor<16xf32>, tf.aliasing_output = 2 : i32}
// CHECK-SAME: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>, spmd.global_type = tensor<64x16xf32>}
// CHECK-SAME: -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>, spmd.global_type = tensor<64x16xf32>}
// CHECK-SAME: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>, spmd.global_type = tensor<64x16xf32>}
// CHECK-SAME: tensor<16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, spmd.global_type = tensor<16xf32>})
func.func @main(%fc1: !spmd.buffer<tensor<64x16xf32>>,
                %norm: !spmd.buffer<tensor<16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}]>},
                %fc1_host: tensor<64x16xf32>, %norm_host: tensor<16xf32>) -> tensor<64x16xf32> {
  %staged = spmd.alloc : !spmd.buffer<tensor<64x16xf32>>
  spmd.store %fc1_host, %staged : !spmd.buffer<tensor<64x16xf32>>
  %0 = spmd.load %staged : !spmd.buffer<tensor<64x16xf32>>
  spmd.store %0, %fc1 : !spmd.buffer<tensor<64x16xf32>>
  spmd.store %norm_host, %norm : !spmd.buffer<tensor<16xf32>>
  %sharded = spmd.load %fc1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"fsdp"}, {}]>]>} : !spmd.buffer<tensor<64x16xf32>>
  %scale = spmd.load %norm : !spmd.buffer<tensor<16xf32>>
  %rows = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<16xf32>) -> tensor<64x16xf32>
  %1 = stablehlo.multiply %sharded, %rows : tensor<64x16xf32>
  return %1 : tensor<64x16xf32>
}

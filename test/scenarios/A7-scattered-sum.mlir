// RUN: spmd-opt %s --spmd-pipeline=bucket-bytes=0 | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline="functionalize=false bucket-bytes=0" | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// A sum over a hidden dim of 30 that is scattered onto 6 rows, and the weight made whole again: shares are padded to 8 rows
// before the one, and 2 rows of padding are cut off behind the other.

sdy.mesh @mesh = <["data"=1, "tp"=4]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>, spmd.global_type = tensor<6x30xf32>}
// CHECK-SAME: tensor<8x5xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, spmd.global_type = tensor<30x5xf32>}
// CHECK-SAME: -> (tensor<2x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, spmd.global_type = tensor<6x5xf32>}
// CHECK-SAME: tensor<30x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<30x5xf32>})
// CHECK: %[[SHARE:.*]] = stablehlo.dot_general %{{.*}} : (tensor<6x8xf32>, tensor<8x5xf32>) -> tensor<6x5xf32>
// CHECK: %[[PADDED:.*]] = stablehlo.pad %[[SHARE]], %{{.*}}, low = [0, 0], high = [2, 0]
// CHECK: "stablehlo.reduce_scatter"(%[[PADDED]])
// CHECK-SAME: scatter_dimension = 0
// CHECK: (tensor<8x5xf32>) -> tensor<2x5xf32>
// CHECK: %[[BLOCKS:.*]] = "stablehlo.all_gather"{{.*}} : (tensor<8x5xf32>) -> tensor<32x5xf32>
// CHECK: stablehlo.slice %[[BLOCKS]] [0:30, 0:5]
func.func @main(%x: tensor<6x30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>},
                %w: !spmd.buffer<tensor<30x5xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>})
    -> (tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>}, tensor<30x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %w_in = spmd.load %w : !spmd.buffer<tensor<30x5xf32>>
  %y = stablehlo.dot_general %x, %w_in, contracting_dims = [1] x [0] : (tensor<6x30xf32>, tensor<30x5xf32>) -> tensor<6x5xf32>
  return %y, %w_in : tensor<6x5xf32>, tensor<30x5xf32>
}

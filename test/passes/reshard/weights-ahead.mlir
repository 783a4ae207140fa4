// RUN: spmd-opt %s --spmd-pipeline --split-input-file | FileCheck %s
// A weight that is split along the axis of the batch is gathered where the program pins its computation to the batch: nobody
// waits for it. It moves more bytes than the batch would.

sdy.mesh @mesh = <["fsdp"=8]>

// CHECK-LABEL: func.func @main
// CHECK-NOT: stablehlo.all_to_all
// CHECK-NOT: stablehlo.reduce_scatter
// CHECK: "stablehlo.all_gather"{{.*}} tensor<16x32xf32>
// CHECK: "stablehlo.all_gather"{{.*}} tensor<32x16xf32>
// CHECK-NOT: stablehlo.all_to_all
// CHECK-NOT: stablehlo.reduce_scatter
// CHECK: return
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>},
                %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>},
                %v: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) -> tensor<8x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x32xf32>) -> tensor<8x32xf32>
  %1 = stablehlo.tanh %0 : tensor<8x32xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x16xf32>) -> tensor<8x16xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"fsdp"}, {}]> : tensor<8x16xf32>
  %4 = stablehlo.dot_general %3, %3, contracting_dims = [1] x [1] : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x8xf32>
  %5 = stablehlo.dot_general %4, %3, contracting_dims = [1] x [0] : (tensor<8x8xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  return %5 : tensor<8x16xf32>
}

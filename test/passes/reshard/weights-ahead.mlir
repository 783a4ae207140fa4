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

// -----

// So it is in a product that only the user knows: it sums over what two operands have, as other products do.
sdy.mesh @mesh = <["f"=4]>

// CHECK-LABEL: func.func @main
// CHECK-NOT: stablehlo.all_to_all
// CHECK-NOT: stablehlo.reduce_scatter
// CHECK: "stablehlo.all_gather"
// CHECK-NOT: stablehlo.all_to_all
// CHECK-NOT: stablehlo.reduce_scatter
// CHECK: return
func.func @main(%x: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"f"}, {}]>},
                         %w0: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"f"}, {}]>},
                         %w1: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"f"}, {}]>},
                         %w2: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"f"}, {}]>}) -> tensor<256x512xf32> {
  %m0 = stablehlo.custom_call @product(%x, %w0) {spmd.rule = {dims = "([i, k], [k, j])->([i, j]) reduction={k}"}} : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %c0 = sdy.sharding_constraint %m0 <@mesh, [{"f"}, {}]> : tensor<256x512xf32>
  %t0 = stablehlo.tanh %c0 : tensor<256x512xf32>
  %m1 = stablehlo.custom_call @product(%t0, %w1) {spmd.rule = {dims = "([i, k], [k, j])->([i, j]) reduction={k}"}} : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %c1 = sdy.sharding_constraint %m1 <@mesh, [{"f"}, {}]> : tensor<256x512xf32>
  %t1 = stablehlo.tanh %c1 : tensor<256x512xf32>
  %m2 = stablehlo.custom_call @product(%t1, %w2) {spmd.rule = {dims = "([i, k], [k, j])->([i, j]) reduction={k}"}} : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %c2 = sdy.sharding_constraint %m2 <@mesh, [{"f"}, {}]> : tensor<256x512xf32>
  %t2 = stablehlo.tanh %c2 : tensor<256x512xf32>
  return %t2 : tensor<256x512xf32>
}

// RUN: spmd-opt %s --spmd-pipeline=bucket-bytes=0 | FileCheck %s
// RUN: spmd-run %s --json=%t.json | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes
// RUN: %python %S/../../at_most.py %t.json wire_bytes_per_device 1400

// Weights and batch are sharded along one axis (FSDP). The plan moves whatever has fewer bytes.

sdy.mesh @mesh = <["fsdp"=8]>

// The batch has fewer bytes than the weights: it moves to them, and shares of sums move back. Gathering the weights would
// send 3,584 bytes.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: "stablehlo.all_gather"(%arg1)
// CHECK-NOT: "stablehlo.all_gather"(%arg2)
// CHECK: "stablehlo.reduce_scatter"
// CHECK-NOT: "stablehlo.all_gather"(%arg2)
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

// With many rows, both weights are gathered, and nothing else moves.
// CHECK-LABEL: func.func @many_rows(
// CHECK-NOT: {{all_to_all|all_reduce|reduce_scatter|collective_permute}}
// CHECK-DAG: "stablehlo.all_gather"(%arg1)
// CHECK-DAG: "stablehlo.all_gather"(%arg2)
// CHECK-NOT: {{all_to_all|all_reduce|reduce_scatter|collective_permute}}
// CHECK: return
func.func @many_rows(%x: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>},
                     %w: tensor<16x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>},
                     %v: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) -> tensor<512x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<512x16xf32>, tensor<16x32xf32>) -> tensor<512x32xf32>
  %1 = stablehlo.tanh %0 : tensor<512x32xf32>
  %2 = stablehlo.dot_general %1, %v, contracting_dims = [1] x [0] : (tensor<512x32xf32>, tensor<32x16xf32>) -> tensor<512x16xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{"fsdp"}, {}]> : tensor<512x16xf32>
  return %3 : tensor<512x16xf32>
}

// A custom call with a rule of the user sums over a dim as other products do. Moving the 256 rows to the weights of
// 512 rows, and their sums back, sends fewer bytes than the weights have.
// CHECK-LABEL: func.func @product_of_the_user(
// CHECK-NOT: all_gather
// CHECK: "stablehlo.all_to_all"
// CHECK: custom_call @product
// CHECK: "stablehlo.reduce_scatter"
// CHECK-NOT: all_gather
// CHECK: return
func.func @product_of_the_user(%x: tensor<256x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>},
                         %w0: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>},
                         %w1: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>},
                         %w2: tensor<512x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) -> tensor<256x512xf32> {
  %m0 = stablehlo.custom_call @product(%x, %w0) {spmd.rule = {dims = "([i, k], [k, j])->([i, j]) reduction={k}"}} : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %c0 = sdy.sharding_constraint %m0 <@mesh, [{"fsdp"}, {}]> : tensor<256x512xf32>
  %t0 = stablehlo.tanh %c0 : tensor<256x512xf32>
  %m1 = stablehlo.custom_call @product(%t0, %w1) {spmd.rule = {dims = "([i, k], [k, j])->([i, j]) reduction={k}"}} : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %c1 = sdy.sharding_constraint %m1 <@mesh, [{"fsdp"}, {}]> : tensor<256x512xf32>
  %t1 = stablehlo.tanh %c1 : tensor<256x512xf32>
  %m2 = stablehlo.custom_call @product(%t1, %w2) {spmd.rule = {dims = "([i, k], [k, j])->([i, j]) reduction={k}"}} : (tensor<256x512xf32>, tensor<512x512xf32>) -> tensor<256x512xf32>
  %c2 = sdy.sharding_constraint %m2 <@mesh, [{"fsdp"}, {}]> : tensor<256x512xf32>
  %t2 = stablehlo.tanh %c2 : tensor<256x512xf32>
  return %t2 : tensor<256x512xf32>
}

// The layer has many rows, so its weight is gathered. The head reads one row of each device, which moves to the weight.
// CHECK-LABEL: func.func @head_of_few_rows(
// CHECK-NOT: "stablehlo.all_gather"(%arg2)
// CHECK: "stablehlo.all_gather"(%arg1){{.*}} : (tensor<8x64xf32>) -> tensor<64x64xf32>
// CHECK-NOT: "stablehlo.all_gather"(%arg2)
// CHECK: "stablehlo.all_to_all"{{.*}} : (tensor<1x1x64xf32>) -> tensor<8x1x8xf32>
// CHECK-NOT: "stablehlo.all_gather"(%arg2)
// CHECK: return
func.func @head_of_few_rows(%x: tensor<8x17x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}, {}]>},
                %layer: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>},
                %head: tensor<10x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>},
                %target: tensor<8x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, tensor<10x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}) {
  %0 = stablehlo.dot_general %x, %layer, contracting_dims = [2] x [0] : (tensor<8x17x64xf32>, tensor<64x64xf32>) -> tensor<8x17x64xf32>
  %1 = stablehlo.tanh %0 : tensor<8x17x64xf32>
  %tokens = sdy.sharding_constraint %1 <@mesh, [{"fsdp"}, {}, {}]> : tensor<8x17x64xf32>
  %2 = stablehlo.slice %tokens [0:8, 0:1, 0:64] : (tensor<8x17x64xf32>) -> tensor<8x1x64xf32>
  %first = stablehlo.reshape %2 : (tensor<8x1x64xf32>) -> tensor<8x64xf32>
  %y = stablehlo.dot_general %first, %head, contracting_dims = [1] x [1] : (tensor<8x64xf32>, tensor<10x64xf32>) -> tensor<8x10xf32>
  %error = stablehlo.subtract %y, %target : tensor<8x10xf32>
  %dhead = stablehlo.dot_general %error, %first, contracting_dims = [0] x [0] : (tensor<8x10xf32>, tensor<8x64xf32>) -> tensor<10x64xf32>
  %dfirst = stablehlo.dot_general %error, %head, contracting_dims = [1] x [0] : (tensor<8x10xf32>, tensor<10x64xf32>) -> tensor<8x64xf32>
  %3 = stablehlo.reshape %dfirst : (tensor<8x64xf32>) -> tensor<8x1x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %dtokens = stablehlo.pad %3, %zero, low = [0, 0, 0], high = [0, 16, 0], interior = [0, 0, 0] : (tensor<8x1x64xf32>, tensor<f32>) -> tensor<8x17x64xf32>
  %d0 = stablehlo.multiply %dtokens, %1 : tensor<8x17x64xf32>
  %dlayer = stablehlo.dot_general %x, %d0, contracting_dims = [0, 1] x [0, 1] : (tensor<8x17x64xf32>, tensor<8x17x64xf32>) -> tensor<64x64xf32>
  return %dlayer, %dhead : tensor<64x64xf32>, tensor<10x64xf32>
}

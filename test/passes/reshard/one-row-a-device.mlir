// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// A head of 64 to 10 behind layers of many rows, under FSDP, with one row a device: to take rows to the weight and sums back moves
// fewer bytes than the weight is. But the program says that it computes by rows, and weights come while nothing waits for them. So
// each is gathered, its gradient scattered, and nothing else moves.

sdy.mesh @mesh = <["fsdp"=8]>

// CHECK-LABEL: func.func @main
// CHECK: "stablehlo.all_gather"{{.*}} : (tensor<8x64xf32>, tensor<1x80xf32>) -> (tensor<64x64xf32>, tensor<8x80xf32>)
// CHECK: "stablehlo.reduce_scatter"
// CHECK: : (tensor<8x592xf32>) -> tensor<1x592xf32>
// CHECK: return
func.func @main(%x: tensor<8x17x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}, {}]>},
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

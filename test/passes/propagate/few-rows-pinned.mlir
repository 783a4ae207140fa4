// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// A layer under FSDP, of a batch of four on eight devices. The program pins what it computes by rows, so half of the devices
// being idle is meant: weights are gathered and gradients scattered, and no activation moves, though it is less than a weight.

sdy.mesh @mesh = <["fsdp"=8]>

// CHECK-LABEL: func.func @main
// CHECK: "stablehlo.all_gather"{{.*}} : (tensor<{{.*}}>, tensor<{{.*}}>) -> (tensor<8x128xf32>, tensor<64x16xf32>)
// CHECK: "stablehlo.reduce_scatter"
// CHECK: : (tensor<8x256xf32>) -> tensor<1x256xf32>
// CHECK: return
func.func @main(%x: tensor<4x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}, {}]>},
                %w1: tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>},
                %w2: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>},
                %target: tensor<4x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}, {}]>})
    -> (tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>}, tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w1, contracting_dims = [2] x [0] : (tensor<4x5x16xf32>, tensor<16x64xf32>) -> tensor<4x5x64xf32>
  %h = stablehlo.tanh %0 : tensor<4x5x64xf32>
  %1 = stablehlo.dot_general %h, %w2, contracting_dims = [2] x [0] : (tensor<4x5x64xf32>, tensor<64x16xf32>) -> tensor<4x5x16xf32>
  %y = sdy.sharding_constraint %1 <@mesh, [{"fsdp"}, {}, {}]> : tensor<4x5x16xf32>
  %dy = stablehlo.subtract %y, %target : tensor<4x5x16xf32>
  %dw2 = stablehlo.dot_general %h, %dy, contracting_dims = [0, 1] x [0, 1] : (tensor<4x5x64xf32>, tensor<4x5x16xf32>) -> tensor<64x16xf32>
  %dh = stablehlo.dot_general %dy, %w2, contracting_dims = [2] x [1] : (tensor<4x5x16xf32>, tensor<64x16xf32>) -> tensor<4x5x64xf32>
  %d0 = stablehlo.multiply %dh, %h : tensor<4x5x64xf32>
  %dw1 = stablehlo.dot_general %x, %d0, contracting_dims = [0, 1] x [0, 1] : (tensor<4x5x16xf32>, tensor<4x5x64xf32>) -> tensor<16x64xf32>
  return %dw1, %dw2 : tensor<16x64xf32>, tensor<64x16xf32>
}

// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s
// RUN: spmd-run %s --json=%t.json
// RUN: %python %S/../../at_most.py %t.json wire_bytes_per_device 4200
// A layer under FSDP, of a batch of four on eight devices. The program pins the output of the layer by rows, though half of
// the devices have none. Activations are smaller than weights, so they are gathered, and neither a weight nor a gradient
// moves. Gathering weights and scattering gradients would send 14,336 bytes.

sdy.mesh @mesh = <["fsdp"=8]>

// CHECK-LABEL: func.func @main
// CHECK-NOT: sdy.reshard {{.*}} : tensor<{{16x64|64x16}}xf32>
// CHECK: stablehlo.dot_general {{.*}} unreduced={"fsdp"}
// CHECK: sdy.reshard {{.*}} <@mesh, [{"fsdp"}, {}, {}]> : tensor<4x5x16xf32>
// CHECK-NOT: sdy.reshard {{.*}} : tensor<{{16x64|64x16}}xf32>
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

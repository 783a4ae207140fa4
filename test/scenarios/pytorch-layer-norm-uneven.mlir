// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// Layer normalization over batch and tokens in one dim, of a batch of 6 on 4 devices: 2, 2, 2 and no rows, of which those of
// the merged dim (8, 8, 8, 6) are no union. Nothing moves but the scale: the dims stay apart.

sdy.mesh @mesh = <["fsdp"=4, "model"=1]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<2x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>, spmd.global_type = tensor<6x5x16xf32>}
// CHECK-SAME: tensor<4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>, spmd.global_type = tensor<16xf32>}
// CHECK-SAME: tensor<2x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>, spmd.global_type = tensor<6x5x16xf32>}
// CHECK-SAME: -> (tensor<2x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}, {?}]>, spmd.global_type = tensor<6x5x16xf32>}
// CHECK-SAME: tensor<2x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}, {?}]>, spmd.global_type = tensor<6x5x16xf32>})
// CHECK: "stablehlo.all_gather"
func.func @main(
    %x: tensor<6x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>},
    %scale: !spmd.buffer<tensor<16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p1]>},
    %dy: tensor<6x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}p0, {}, {}]>})
    -> (tensor<6x5x16xf32>, tensor<6x5x16xf32>) {
  %ones = stablehlo.constant dense<1.0> : tensor<30xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<30xf32>
  %merged = stablehlo.reshape %x : (tensor<6x5x16xf32>) -> tensor<1x30x16xf32>
  %normal, %mean, %variance = "stablehlo.batch_norm_training"(%merged, %ones, %zeros) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64}
      : (tensor<1x30x16xf32>, tensor<30xf32>, tensor<30xf32>) -> (tensor<1x30x16xf32>, tensor<30xf32>, tensor<30xf32>)
  %split = stablehlo.reshape %normal : (tensor<1x30x16xf32>) -> tensor<6x5x16xf32>
  %scale_in = spmd.load %scale : !spmd.buffer<tensor<16xf32>>
  %scales = stablehlo.broadcast_in_dim %scale_in, dims = [2] : (tensor<16xf32>) -> tensor<6x5x16xf32>
  %y = stablehlo.multiply %split, %scales : tensor<6x5x16xf32>
  %d = stablehlo.multiply %dy, %scales : tensor<6x5x16xf32>
  %dm = stablehlo.reshape %d : (tensor<6x5x16xf32>) -> tensor<1x30x16xf32>
  %gx, %gs, %go = "stablehlo.batch_norm_grad"(%merged, %ones, %mean, %variance, %dm) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64}
      : (tensor<1x30x16xf32>, tensor<30xf32>, tensor<30xf32>, tensor<30xf32>, tensor<1x30x16xf32>) -> (tensor<1x30x16xf32>, tensor<30xf32>, tensor<30xf32>)
  %dx = stablehlo.reshape %gx : (tensor<1x30x16xf32>) -> tensor<6x5x16xf32>
  return %y, %dx : tensor<6x5x16xf32>, tensor<6x5x16xf32>
}

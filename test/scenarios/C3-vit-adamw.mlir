// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// An optimizer that updates a parameter and two moments in place. Only the parameter has a sharding; the
// moments inherit it. No communication, and three donations.

sdy.mesh @mesh = <["fsdp"=4]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<16x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>, spmd.global_type = tensor<64x16xf32>, tf.aliasing_output = 0 : i32}
// CHECK-SAME: tensor<16x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>, spmd.global_type = tensor<64x16xf32>, tf.aliasing_output = 1 : i32}
// CHECK-SAME: tensor<16x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>, spmd.global_type = tensor<64x16xf32>, tf.aliasing_output = 2 : i32}
// CHECK-SAME: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>, spmd.global_type = tensor<64x16xf32>}
// CHECK-SAME: -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>
// CHECK-SAME: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>
// CHECK-SAME: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>
func.func @main(%p: !spmd.buffer<tensor<64x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>},
                %m: !spmd.buffer<tensor<64x16xf32>>, %v: !spmd.buffer<tensor<64x16xf32>>, %g: tensor<64x16xf32>) {
  %beta = stablehlo.constant dense<0.875> : tensor<64x16xf32>
  %rest = stablehlo.constant dense<0.125> : tensor<64x16xf32>
  %epsilon = stablehlo.constant dense<1.0> : tensor<64x16xf32>
  %m0 = spmd.load %m : !spmd.buffer<tensor<64x16xf32>>
  %m1 = stablehlo.multiply %m0, %beta : tensor<64x16xf32>
  %m2 = stablehlo.multiply %g, %rest : tensor<64x16xf32>
  %m3 = stablehlo.add %m1, %m2 : tensor<64x16xf32>
  spmd.store %m3, %m : !spmd.buffer<tensor<64x16xf32>>
  %v0 = spmd.load %v : !spmd.buffer<tensor<64x16xf32>>
  %v1 = stablehlo.abs %v0 : tensor<64x16xf32>
  %v2 = stablehlo.multiply %v1, %beta : tensor<64x16xf32>
  %v3 = stablehlo.multiply %g, %g : tensor<64x16xf32>
  %v4 = stablehlo.add %v2, %v3 : tensor<64x16xf32>
  spmd.store %v4, %v : !spmd.buffer<tensor<64x16xf32>>
  %root = stablehlo.sqrt %v4 : tensor<64x16xf32>
  %scale = stablehlo.add %root, %epsilon : tensor<64x16xf32>
  %step = stablehlo.divide %m3, %scale : tensor<64x16xf32>
  %p0 = spmd.load %p : !spmd.buffer<tensor<64x16xf32>>
  %p1 = stablehlo.subtract %p0, %step : tensor<64x16xf32>
  spmd.store %p1, %p : !spmd.buffer<tensor<64x16xf32>>
  return
}

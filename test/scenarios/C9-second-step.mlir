// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-run %s --out %t/first
// RUN: spmd-run %s --in %t/first --out %t/second
// RUN: spmd-run %s --in %t/first --expect %t/second --no-functionalize
// A second step on the results of the first: each result lies as its argument, so nothing is compiled or moved anew. The
// cache, which is updated in place, is split all along.

sdy.mesh @mesh = <["fsdp"=4, "model"=1]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<16x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>, spmd.global_type = tensor<64x16xf32>, tf.aliasing_output = 0 : i32}
// CHECK-SAME: tensor<16x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>, spmd.global_type = tensor<64x16xf32>, tf.aliasing_output = 1 : i32}
// CHECK-SAME: tensor<6x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"fsdp", ?}]>, spmd.global_type = tensor<6x64xf32>, tf.aliasing_output = 2 : i32}
// CHECK-SAME: -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>, spmd.global_type = tensor<64x16xf32>}
// CHECK-SAME: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>, spmd.global_type = tensor<64x16xf32>}
// CHECK-SAME: tensor<6x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"fsdp", ?}]>, spmd.global_type = tensor<6x64xf32>})
func.func @main(
    %p: !spmd.buffer<tensor<64x16xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>},
    %m: !spmd.buffer<tensor<64x16xf32>>,
    %cache: !spmd.buffer<tensor<6x64xf32>>) {
  %half = stablehlo.constant dense<0.5> : tensor<64x16xf32>
  %p0 = spmd.load %p : !spmd.buffer<tensor<64x16xf32>>
  %m0 = spmd.load %m : !spmd.buffer<tensor<64x16xf32>>
  %m1 = stablehlo.multiply %m0, %half : tensor<64x16xf32>
  %m2 = stablehlo.add %m1, %p0 : tensor<64x16xf32>
  spmd.store %m2, %m : !spmd.buffer<tensor<64x16xf32>>
  %p1 = stablehlo.subtract %p0, %m2 : tensor<64x16xf32>
  spmd.store %p1, %p : !spmd.buffer<tensor<64x16xf32>>
  %column = stablehlo.slice %p1 [0:64, 3:4] : (tensor<64x16xf32>) -> tensor<64x1xf32>
  %row = stablehlo.reshape %column : (tensor<64x1xf32>) -> tensor<1x64xf32>
  %at = spmd.slice_view %cache [2:3, 0:64] : (!spmd.buffer<tensor<6x64xf32>>) -> !spmd.buffer<tensor<1x64xf32>>
  spmd.store %row, %at : !spmd.buffer<tensor<1x64xf32>>
  return
}

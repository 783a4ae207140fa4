// RUN: spmd-opt %s --spmd-pipeline=stop-after=propagate | FileCheck %s --check-prefix=PINS
// RUN: spmd-opt %s --spmd-pipeline="functionalize=false stop-after=propagate" | FileCheck %s --check-prefix=PINS
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// A block's output seen through a view of its own shape, on which somebody pins a sharding before more views
// and a store through them. The pin is met at every access through the view, in both modes; the buffer learns
// its sharding from there and loses it nowhere.

sdy.mesh @mesh = <["fsdp"=4, "model"=1]>

// PINS-LABEL: func.func @main
// PINS: sdy.sharding_constraint %{{.*}} <@mesh, [{"fsdp"}, {}, {}]> : tensor<8x5x16xf32>
// PINS: sdy.sharding_constraint %{{.*}} <@mesh, [{"fsdp"}, {}, {}]> : tensor<8x5x16xf32>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<2x5x16xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}, {?}]>, spmd.global_type = tensor<8x5x16xf32>, tf.aliasing_output = 1 : i32}
// CHECK-SAME: -> (tensor<2x80xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}]>, spmd.global_type = tensor<8x80xf32>}
// CHECK-SAME: tensor<2x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp", ?}, {?}, {?}]>, spmd.global_type = tensor<8x5x16xf32>})
// CHECK: stablehlo.add %{{.*}} : tensor<2x80xf32>
func.func @main(%x: !spmd.buffer<tensor<8x5x16xf32>>) -> tensor<8x80xf32> {
  %v = spmd.reshape_view %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"fsdp"}, {}, {}]>]>}
      : (!spmd.buffer<tensor<8x5x16xf32>>) -> !spmd.buffer<tensor<8x5x16xf32>>
  %flat = spmd.reshape_view %v : (!spmd.buffer<tensor<8x5x16xf32>>) -> !spmd.buffer<tensor<8x80xf32>>
  %old = spmd.load %flat : !spmd.buffer<tensor<8x80xf32>>
  %new = stablehlo.add %old, %old : tensor<8x80xf32>
  spmd.store %new, %flat : !spmd.buffer<tensor<8x80xf32>>
  return %old : tensor<8x80xf32>
}

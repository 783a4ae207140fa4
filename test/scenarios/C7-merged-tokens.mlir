// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s
// RUN: spmd-run %s --no-functionalize
// A reshape merges two dims, and the minor one is sharded unevenly. It is gathered, and a remark says so.
// REMARK: remark: 'stablehlo.reshape' op operand 0 dim 1 is gathered over "fsdp"; it is an inner part of result 0 dim 0, which is split from the outermost on; split another dim, or keep them apart

sdy.mesh @mesh = <["fsdp"=4, "model"=1]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<2x2xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>, spmd.global_type = tensor<2x5xf32>}
// CHECK-SAME: -> (tensor<10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}]>, spmd.global_type = tensor<10xf32>})
// CHECK: "stablehlo.all_gather"
func.func @main(%x: !spmd.buffer<tensor<2x5xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"fsdp"}]>})
    -> tensor<10xf32> {
  %v = spmd.reshape_view %x : (!spmd.buffer<tensor<2x5xf32>>) -> !spmd.buffer<tensor<10xf32>>
  %0 = spmd.load %v : !spmd.buffer<tensor<10xf32>>
  return %0 : tensor<10xf32>
}

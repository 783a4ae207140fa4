// RUN: spmd-opt %s --split-input-file --spmd-unless-partitioned=pipeline=spmd-import-shardings,spmd-propagate{on-missing=replicate} | FileCheck %s

// The passes run on a program of whole tensors.
// CHECK: sdy.mesh @mesh
// CHECK-LABEL: func @whole
// CHECK: sdy.sharding_constraint %arg0 <@mesh, [{"axis_0"}]>
// CHECK-SAME: spmd.inferred
func.func @whole(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{devices=[2]<=[2]}"} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// One that is partitioned already is untouched.
// CHECK-LABEL: func @local
// CHECK: stablehlo.custom_call @Sharding
sdy.mesh @mesh = <["x"=2]>
func.func @local(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, spmd.global_type = tensor<8xf32>}) -> tensor<4xf32> {
  %0 = stablehlo.custom_call @Sharding(%x) {mhlo.sharding = "{replicated}"} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// RUN: spmd-opt %s --spmd-propagate=on-missing=warn -o %t.mlir 2>%t.err
// RUN: FileCheck %s --input-file %t.err
// RUN: FileCheck %s --input-file %t.mlir --check-prefix=FLAGS
// RUN: not spmd-opt %s --spmd-propagate=on-missing=error 2>&1 | FileCheck %s --check-prefix=ERROR
// Every value that no sharding reached is named with its place, what is sharded around it and what to write: a marker
// call without a sharding, a random number, an op with effects, results of several, ops with regions and
// in them, all that no annotation reaches. A warning ends with exit code 0.

sdy.mesh @mesh = <["fsdp"=4, "model"=1]>

// CHECK: warning: argument 1 of @main has no sharding; annotate it or set on-missing=replicate
// CHECK: note: to split it, write: %free: tensor<12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}]>}
// CHECK: warning: 'stablehlo.custom_call' op result 0 has no sharding
// CHECK-NEXT: @Sharding(%x)
// CHECK: note: used by 'func.return' as operand 0 here
// CHECK: note: made of what lies as [{"fsdp"}, {}], 1 op before
// CHECK: note: to split it, write: %split = sdy.sharding_constraint %bare <@mesh, [{"fsdp"}, {?}]> : tensor<8x16xf32>
// CHECK: warning: 'stablehlo.rng' op result 0 has no sharding
// CHECK: warning: 'stablehlo.custom_call' op result 0 has no sharding
// CHECK-NEXT: @log(%free)
// CHECK: warning: 'stablehlo.case' op result 0 has no sharding
// CHECK: warning: 'stablehlo.abs' op result 0 has no sharding
// CHECK: warning: 'stablehlo.custom_call' op result 0 has no sharding
// CHECK-NEXT: @two(%free)
// CHECK: warning: 'stablehlo.add' op result 0 has no sharding
// CHECK: note: used by 'func.return' as operand 2 here
// ERROR: error: argument 1 of @main has no sharding; annotate it or set on-missing=replicate
// ERROR-COUNT-7: op result 0 has no sharding
// FLAGS-LABEL: func.func @main
// FLAGS-SAME: tensor<12xf32> {spmd.missing_sharding}
// FLAGS: @Sharding(%{{.*}}) {spmd.missing_sharding}
// FLAGS: stablehlo.rng {{.*}} {spmd.missing_sharding}
// FLAGS: @log(%{{.*}}) {has_side_effect = true, spmd.missing_sharding}
func.func @main(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"fsdp"}, {}]>}, %free: tensor<12xf32>, %n: tensor<i32>)
    -> (tensor<8x16xf32>, tensor<8x16xf32>, tensor<12xf32>, tensor<8xf32>, tensor<12xf32>) {
  %bare = stablehlo.custom_call @Sharding(%x) : (tensor<8x16xf32>) -> tensor<8x16xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %shape = stablehlo.constant dense<[8, 16]> : tensor<2xi64>
  %random = stablehlo.rng %zero, %one, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<8x16xf32>
  %effect = stablehlo.custom_call @log(%free) {has_side_effect = true} : (tensor<12xf32>) -> tensor<8xf32>
  %branch = "stablehlo.case"(%n) ({
    %0 = stablehlo.abs %free : tensor<12xf32>
    stablehlo.return %0 : tensor<12xf32>
  }, {
    stablehlo.return %free : tensor<12xf32>
  }) : (tensor<i32>) -> tensor<12xf32>
  %pair:2 = stablehlo.custom_call @two(%free) : (tensor<12xf32>) -> (tensor<12xf32>, tensor<f32>)
  %tuple = stablehlo.tuple %free, %free : tuple<tensor<12xf32>, tensor<12xf32>>
  %part = stablehlo.get_tuple_element %tuple[1] : (tuple<tensor<12xf32>, tensor<12xf32>>) -> tensor<12xf32>
  %sum = stablehlo.add %part, %pair#0 : tensor<12xf32>
  return %bare, %random, %sum, %effect, %branch : tensor<8x16xf32>, tensor<8x16xf32>, tensor<12xf32>, tensor<8xf32>, tensor<12xf32>
}

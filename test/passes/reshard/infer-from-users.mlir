// RUN: spmd-opt %s --spmd-pipeline=on-no-rule=infer-from-users -o %t.out 2> %t.err
// RUN: FileCheck %s < %t.out
// RUN: FileCheck %s --check-prefix=WARNING < %t.err
// RUN: spmd-opt %s --spmd-pipeline=stop-after=propagate -o %t.propagated
// RUN: spmd-opt %t.propagated --spmd-reshard=on-no-rule=infer-from-users 2>&1 | FileCheck %s --check-prefix=RESHARD
// RUN: spmd-run %s --on-no-rule=infer-from-users | FileCheck %s --check-prefix=EQUAL
// RUN: echo 'policy { on_no_rule: "infer-from-users" }' > %t.plan
// RUN: spmd-run %s --plan=%t.plan | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/@scaled(%%a/@other(%%a/; s/@turned(%%a/@scaled(%%a/' %s > %t.false.mlir
// RUN: not spmd-run %t.false.mlir --on-no-rule=infer-from-users 2>&1 | FileCheck %s --check-prefix=FALSE
// RUN: spmd-run %t.false.mlir | FileCheck %s --check-prefix=EQUAL
// A call without a rule runs on the rows that are wanted of its result, of six rows on four devices too, and what was
// assumed is said. Where that is false the results differ, and where nothing is assumed they do not.

// CHECK: custom_call @scale({{.*}}) {spmd.reference = @scaled} : (tensor<2x4xf32>, tensor<4xf32>) -> tensor<2x4xf32>
// CHECK-NOT: stablehlo.all_gather
// CHECK: return
// WARNING: warning: 'stablehlo.custom_call' op @scale has no sharding rule; each device makes its part of the results of the same part of the operands, as those who use them want it, which is wrong if the op does more than that
// WARNING: note: operand 0 has sharding [{"x", ?}, {?}]
// WARNING: note: assumed: rule { target: "scale" rule: "([i, j], [k])->([i, j]) need_replication={j, k}" }; if it is true, put it in a plan, else set on-no-rule=replicate
// RESHARD: note: assumed: rule { target: "scale"
// RESHARD: %[[PART:.*]] = sdy.reshard %arg0 <@mesh, [{"x"}, {}]>
// RESHARD: custom_call @scale(%[[PART]],
// EQUAL: collectives none
// EQUAL: equal: {{ *}}yes
// FALSE: equal: {{ *}}no

sdy.mesh @mesh = <["x"=4]>

func.func @main(%a: tensor<6x4xf32>, %w: tensor<4xf32>) -> (tensor<6x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.custom_call @scale(%a, %w) {spmd.reference = @scaled} : (tensor<6x4xf32>, tensor<4xf32>) -> tensor<6x4xf32>
  return %0 : tensor<6x4xf32>
}
func.func private @scaled(%a: tensor<?x4xf32>, %w: tensor<4xf32>) -> tensor<?x4xf32> {
  %n = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  %rows = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %shape = stablehlo.concatenate %rows, %four, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %w, %shape, dims = [1] : (tensor<4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %1 = stablehlo.multiply %a, %0 : tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}
func.func private @turned(%a: tensor<?x4xf32>, %w: tensor<4xf32>) -> tensor<?x4xf32> {
  %0 = stablehlo.reverse %a, dims = [0] : tensor<?x4xf32>
  return %0 : tensor<?x4xf32>
}

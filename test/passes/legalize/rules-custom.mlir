// A rule of the user's on an op that others take the place of: it holds for the one that stands for the op where it can be said
// of its operands; else a warning tells that it is lost.
// RUN: spmd-opt %s --spmd-legalize-chlo=keep-functions=true -verify-diagnostics | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=stop-after=propagate -verify-diagnostics=only-expected | FileCheck %s --check-prefix=SPLIT

sdy.mesh @mesh = <["x"=2, "y"=3]>

// The second operand is read in the shape of the first.
// CHECK-LABEL: func.func @repeated(
// CHECK: stablehlo.add {{.*}}sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=5, j=7} blocked_propagation={j}, custom>
// SPLIT-LABEL: func.func @repeated(
// SPLIT: stablehlo.broadcast_in_dim {{.*}}[<@mesh, [{"x", ?}, {?}]>]
// SPLIT: stablehlo.add {{.*}}[<@mesh, [{"x", ?}, {?}]>]
func.func @repeated(%a: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<7xf32>) -> tensor<5x7xf32> {
  %0 = chlo.broadcast_add %a, %b {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j])->([i, j]) {i=5, j=7} blocked_propagation={j}, custom>} : (tensor<5x7xf32>, tensor<7xf32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// Columns of both have nothing to do with each other; the one row is repeated, so its rows are those of the result.
// CHECK-LABEL: func.func @apart(
// CHECK: stablehlo.multiply {{.*}}sdy.op_sharding_rule<([i, j], [i, k])->([i, j]) {i=5, j=7, k=7}, custom>
// SPLIT-LABEL: func.func @apart(
// SPLIT-SAME: %arg1: tensor<1x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>
func.func @apart(%a: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<1x7xf32>) -> tensor<5x7xf32> {
  %0 = chlo.broadcast_multiply %a, %b {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([i, j]) {i=5, j=7, k=1, l=7}, custom>} : (tensor<5x7xf32>, tensor<1x7xf32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// What has a rule of its own is kept until it is partitioned.
// CHECK-LABEL: func.func @kept(
// CHECK: chlo.lgamma {{.*}}custom>
// SPLIT-LABEL: func.func @kept(
// SPLIT: chlo.lgamma {{.*}}[<@mesh, [{"x", ?}, {?}]>]
func.func @kept(%a: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<5x7xf32> {
  %0 = chlo.lgamma %a {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=5, j=7} blocked_propagation={j}, custom>} : tensor<5x7xf32> -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// Indices that count rows stay as they are written where the user says how they split.
// CHECK-LABEL: func.func @counted(
// CHECK: stablehlo.gather{{.*}}start_index_map = [0, 1]{{.*}}custom>
func.func @counted(%a: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %columns: tensor<5x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<5xf32> {
  %rows = stablehlo.iota dim = 0 : tensor<5x1xi32>
  %at = stablehlo.concatenate %rows, %columns, dim = 1 : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x2xi32>
  %0 = "stablehlo.gather"(%a, %at) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [0, 1], start_index_map = [0, 1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k, l])->([k]) {i=5, j=7, k=5, l=2} need_replication={i, j, l}, custom>} : (tensor<5x7xf32>, tensor<5x2xi32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}

// CHECK-LABEL: func.func @called(
// CHECK: stablehlo.composite "some.op" %arg0 {{.*}}sdy.sharding_rule
// SPLIT-LABEL: func.func @called(
// SPLIT: call @tanh_0(%arg0) {{.*}}[<@mesh, [{"x", ?}, {?}]>]
func.func @called(%a: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<5x7xf32> {
  %0 = stablehlo.composite "some.op" %a {decomposition = @tanh, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=5, j=7} blocked_propagation={j}, custom>} : (tensor<5x7xf32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
func.func private @tanh(%a: tensor<5x7xf32>) -> tensor<5x7xf32> {
  %0 = stablehlo.tanh %a : tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}

// CHECK-LABEL: func.func @normalized(
// CHECK-NOT: sharding_rule
func.func @normalized(%a: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %scale: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<5x7xf32> {
  // expected-warning @below {{'stablehlo.batch_norm_training' op is replaced by others, so its sharding rule is dropped; write rules at these}}
  %0:3 = "stablehlo.batch_norm_training"(%a, %scale, %scale) <{epsilon = 1.0e-3 : f32, feature_index = 1 : i64}> {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [j], [j])->([i, j], [j], [j]) {i=5, j=7} need_replication={i} blocked_propagation={j}, custom>} : (tensor<5x7xf32>, tensor<7xf32>, tensor<7xf32>) -> (tensor<5x7xf32>, tensor<7xf32>, tensor<7xf32>)
  return %0#0 : tensor<5x7xf32>
}

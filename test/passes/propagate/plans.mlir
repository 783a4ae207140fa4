// RUN: spmd-opt %s --spmd-propagate -o %t
// RUN: FileCheck %s < %t
// Propagating again changes nothing.
// RUN: spmd-opt %t --spmd-propagate | diff %t -
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy | FileCheck %s --check-prefix=SHARDY

sdy.mesh @mesh = <["data"=2, "model"=4]>

// Rows are looked up in a table whose second dim lies on the axis of the batch. What is right for
// the rows shows in the layers behind: many rows stay, and the weights are gathered.
// CHECK-LABEL: func.func @many_rows_stay(
// CHECK: "stablehlo.gather"{{.*}}<@mesh, [{"data", ?}, {?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"data", ?}, {"model", ?}]>
// CHECK: stablehlo.tanh{{.*}}<@mesh, [{"data", ?}, {"model", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"data", ?}, {?}]>
// CHECK: stablehlo.add{{.*}}<@mesh, [{"data", ?}, {?}]>
// SHARDY-LABEL: func.func @many_rows_stay(
// SHARDY: stablehlo.tanh{{.*}}<@mesh, [{?}, {"model", ?}]>
// SHARDY: stablehlo.add{{.*}}<@mesh, [{?}, {"data", ?}]>
func.func @many_rows_stay(%rows: tensor<4096xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %table: tensor<8192x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}, %up: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %down: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>}) -> tensor<4096x64xf32> {
  %0 = "stablehlo.gather"(%table, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<8192x64xf32>, tensor<4096xi32>) -> tensor<4096x64xf32>
  %1 = stablehlo.dot_general %0, %up, contracting_dims = [1] x [0] : (tensor<4096x64xf32>, tensor<64x256xf32>) -> tensor<4096x256xf32>
  %2 = stablehlo.tanh %1 : tensor<4096x256xf32>
  %3 = stablehlo.dot_general %2, %down, contracting_dims = [1] x [0] : (tensor<4096x256xf32>, tensor<256x64xf32>) -> tensor<4096x64xf32>
  %4 = stablehlo.add %0, %3 : tensor<4096x64xf32>
  return %4 : tensor<4096x64xf32>
}

// Two rows move to the weights.
// CHECK-LABEL: func.func @few_rows_move(
// CHECK: stablehlo.tanh{{.*}}<@mesh, [{?}, {"model", ?}]>
// CHECK: stablehlo.add{{.*}}<@mesh, [{?}, {"data", ?}]>
func.func @few_rows_move(%rows: tensor<2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}]>}, %table: tensor<8192x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}]>}, %up: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}]>}, %down: tensor<256x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {"data"}]>}) -> tensor<2x64xf32> {
  %0 = "stablehlo.gather"(%table, %rows) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 64>}> : (tensor<8192x64xf32>, tensor<2xi32>) -> tensor<2x64xf32>
  %1 = stablehlo.dot_general %0, %up, contracting_dims = [1] x [0] : (tensor<2x64xf32>, tensor<64x256xf32>) -> tensor<2x256xf32>
  %2 = stablehlo.tanh %1 : tensor<2x256xf32>
  %3 = stablehlo.dot_general %2, %down, contracting_dims = [1] x [0] : (tensor<2x256xf32>, tensor<256x64xf32>) -> tensor<2x64xf32>
  %4 = stablehlo.add %0, %3 : tensor<2x64xf32>
  return %4 : tensor<2x64xf32>
}

// Sequence parallelism: what comes in and goes out is split along the sequence, the hidden layer
// between along its features, so that the weights stay where they are.
// CHECK-LABEL: func.func @sequence_parallel(
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"data", ?}, {?}, {"model", ?}]>
// CHECK: stablehlo.tanh{{.*}}<@mesh, [{"data", ?}, {?}, {"model", ?}]>
// CHECK: stablehlo.dot_general{{.*}}<@mesh, [{"data", ?}, {"model", ?}, {?}]>
func.func @sequence_parallel(%x: tensor<2x16x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}]>}, %up: tensor<512x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"model"}]>}, %down: tensor<2048x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}) -> (tensor<2x16x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {"model"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %up, contracting_dims = [2] x [0] : (tensor<2x16x512xf32>, tensor<512x2048xf32>) -> tensor<2x16x2048xf32>
  %1 = stablehlo.tanh %0 : tensor<2x16x2048xf32>
  %2 = stablehlo.dot_general %1, %down, contracting_dims = [2] x [0] : (tensor<2x16x2048xf32>, tensor<2048x512xf32>) -> tensor<2x16x512xf32>
  return %2 : tensor<2x16x512xf32>
}

// Context parallelism: queries stay, keys are gathered, for there are fewer of them than scores.
// CHECK-LABEL: func.func @queries_stay(
// CHECK: %[[SCORES:.+]] = stablehlo.dot_general{{.*}}<@mesh, [{"model", ?}, {?}]>
func.func @queries_stay(%x: tensor<512x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"model"}, {}]>}, %wq: tensor<64x64xf32>, %wk: tensor<64x64xf32>) -> tensor<512x512xf32> {
  %q = stablehlo.dot_general %x, %wq, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %k = stablehlo.dot_general %x, %wk, contracting_dims = [1] x [0] : (tensor<512x64xf32>, tensor<64x64xf32>) -> tensor<512x64xf32>
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<512x64xf32>, tensor<512x64xf32>) -> tensor<512x512xf32>
  return %0 : tensor<512x512xf32>
}

// A dim of higher priority keeps its axis, whatever that costs.
// CHECK-LABEL: func.func @priority_decides(
// CHECK: stablehlo.tanh{{.*}}<@mesh, [{?}, {"data", ?}]>
func.func @priority_decides(%rows: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}p1, {}]>}, %up: tensor<64x256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"data"}p0]>}) -> tensor<4096x256xf32> {
  %0 = stablehlo.dot_general %rows, %up, contracting_dims = [1] x [0] : (tensor<4096x64xf32>, tensor<64x256xf32>) -> tensor<4096x256xf32>
  %1 = stablehlo.tanh %0 : tensor<4096x256xf32>
  return %1 : tensor<4096x256xf32>
}

// Where neither dim is worth its moves no axis splits the value, and propagation is told so.
// CHECK-LABEL: func.func @neither_is_worth_it(
// CHECK: stablehlo.transpose{{.*}}<@mesh, [{?}, {?}], replicated={"data"}>
func.func @neither_is_worth_it(%a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.add %0, %a : tensor<64x64xf32>
  return %0, %1 : tensor<64x64xf32>, tensor<64x64xf32>
}

// RUN: spmd-opt %s --spmd-propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate --spmd-propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=MOVED
// RUN: spmd-opt %s --spmd-propagate --spmd-explain=value=%%down 2>&1 | FileCheck %s --check-prefix=WHY

// The head of a model is pinned along its hidden dim, and through its gradient activations had that dim split at first, and
// through these the weights of a layer of which nothing is said. Rows decide otherwise for activations: then no pin is behind
// what the weights had, and they are whole again.
sdy.mesh @mesh = <["data"=4]>

// CHECK-LABEL: func.func @step
// CHECK-SAME: %arg4: tensor<512x2048xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>
// CHECK-SAME: %arg5: tensor<2048x512xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>
// CHECK: stablehlo.dot_general {{.*}} [{"data", ?}, {?}, {?}]
// CHECK: stablehlo.dot_general {{.*}} [{"data", ?}, {?}, {?}]
// CHECK: stablehlo.dot_general {{.*}} [{"data", ?}, {?}]

// MOVED-LABEL: func.func @step
// MOVED-NOT: "stablehlo.{{all|collective}}
// MOVED: "stablehlo.reduce_scatter"
// MOVED: }) : (tensor<512x16xf32>) -> tensor<128x16xf32>
// MOVED-NOT: "stablehlo.{{all|collective|reduce_scatter}}

// WHY: "data" of %6 dim 0 ({{.*}}) does not come through 'stablehlo.dot_general' ({{.*}}): "data" splits dim 0 of %3 already
func.func @step(%labels: tensor<8x512xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}, %head: tensor<512x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
                %x: tensor<8x512x512xf32>, %gate: tensor<8x512x2048xf32>, %up: tensor<512x2048xf32>,
                %down: tensor<2048x512xf32>, %scores: tensor<8x512x16xf32>) -> (tensor<8x512x1xf32>, tensor<512x16xf32>) {
  %0 = stablehlo.dot_general %x, %up, contracting_dims = [2] x [0] : (tensor<8x512x512xf32>, tensor<512x2048xf32>) -> tensor<8x512x2048xf32>
  %1 = stablehlo.multiply %gate, %0 : tensor<8x512x2048xf32>
  %2 = stablehlo.dot_general %1, %down, contracting_dims = [2] x [0] : (tensor<8x512x2048xf32>, tensor<2048x512xf32>) -> tensor<8x512x512xf32>
  %3 = stablehlo.add %x, %2 : tensor<8x512x512xf32>
  %4 = stablehlo.reshape %labels : (tensor<8x512xi32>) -> tensor<8x512x1x1xi32>
  %5 = "stablehlo.gather"(%scores, %4) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [2], operand_batching_dims = [0, 1], start_indices_batching_dims = [0, 1], start_index_map = [2], index_vector_dim = 3>, slice_sizes = array<i64: 1, 1, 1>}> : (tensor<8x512x16xf32>, tensor<8x512x1x1xi32>) -> tensor<8x512x1xf32>
  %6 = stablehlo.dot_general %3, %scores, contracting_dims = [0, 1] x [0, 1] : (tensor<8x512x512xf32>, tensor<8x512x16xf32>) -> tensor<512x16xf32>
  %7 = stablehlo.multiply %head, %6 : tensor<512x16xf32>
  return %5, %7 : tensor<8x512x1xf32>, tensor<512x16xf32>
}

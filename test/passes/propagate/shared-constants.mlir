// RUN: spmd-opt --spmd-propagate %s | FileCheck %s

// Who shares a constant, or what is made of constants alone, has that in common by chance: how one
// wants it says nothing of the others. Uses that came out alike share it again.

sdy.mesh @mesh = <["data"=2, "tensor"=4]>

// CHECK-LABEL: func.func @sigmoids
// CHECK: %[[SPLIT:.+]] = stablehlo.broadcast_in_dim %[[C:.+]], dims = [] {{.*}}[{"data", ?}, {"tensor", ?}]
// CHECK-NEXT: %[[ROWS:.+]] = stablehlo.broadcast_in_dim %[[C]], dims = [] {{.*}}[{"data", ?}, {?}]
// CHECK-NOT: broadcast_in_dim
// CHECK: dot_general %arg0, %arg1{{.*}}[{"data", ?}, {"tensor", ?}]
// CHECK: dot_general %arg0, %arg2{{.*}}[{"data", ?}, {?}]
// CHECK: add %{{.*}}, %[[SPLIT]]
// CHECK: divide %[[SPLIT]], {{.*}}[{"data", ?}, {"tensor", ?}]
// CHECK: add %{{.*}}, %[[ROWS]]
// CHECK: divide %[[ROWS]], {{.*}}[{"data", ?}, {?}]
func.func @sigmoids(%x: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %w: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tensor"}]>},
    %v: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<8x16xf32>, tensor<8x16xf32>) {
  %c = stablehlo.constant dense<1.0> : tensor<f32>
  %one = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<f32>) -> tensor<8x16xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %1 = stablehlo.dot_general %x, %v, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x16xf32>) -> tensor<8x16xf32>
  %2 = stablehlo.add %0, %one : tensor<8x16xf32>
  %3 = stablehlo.divide %one, %2 : tensor<8x16xf32>
  %4 = stablehlo.add %1, %one : tensor<8x16xf32>
  %5 = stablehlo.divide %one, %4 : tensor<8x16xf32>
  return %3, %5 : tensor<8x16xf32>, tensor<8x16xf32>
}

// The axis of the batch does not become one of the table that happens to have as many rows, and
// nobody takes the table for one that it reached.
// CHECK-LABEL: func.func @zeros
// CHECK: select{{.*}}[{"data", ?}, {?}]
// CHECK: scatter
// CHECK: }) {spmd.missing_sharding}
func.func @zeros(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %p: tensor<8x4xi1>, %at: tensor<3x1xi32>, %rows: tensor<3x4xf32>)
    -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %0 = stablehlo.select %p, %x, %zero : tensor<8x4xi1>, tensor<8x4xf32>
  %1 = "stablehlo.scatter"(%zero, %at, %rows) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1],
      inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}
      : (tensor<8x4xf32>, tensor<3x1xi32>, tensor<3x4xf32>) -> tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

// One that is pinned takes part as any other value.
// CHECK-LABEL: func.func @pinned
// CHECK: add %arg0{{.*}}[{"data", ?}, {?}]
// CHECK: add %arg1{{.*}}[{"data", ?}, {?}]
func.func @pinned(%x: tensor<8x4xf32>, %y: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %one = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"data"}, {}]>]>} dense<1.0> : tensor<8x4xf32>
  %0 = stablehlo.add %x, %one : tensor<8x4xf32>
  %1 = stablehlo.add %y, %one : tensor<8x4xf32>
  return %0, %1 : tensor<8x4xf32>, tensor<8x4xf32>
}

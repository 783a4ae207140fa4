// RUN: spmd-opt %s --spmd-propagate --spmd-move-weights --split-input-file | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline --split-input-file | FileCheck %s --check-prefix=LOCAL

// A product whose columns are written as 3 x 4 heads x 2 is one of a weight that is: shards of 24 columns are not of 4 heads.
// The rows are written as batch and length in between.
sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func @heads
// CHECK-SAME: (%[[X:[^:]*]]: tensor<64x4xf32> {{.*}}, %[[W:[^:]*]]: tensor<24x4xf32>
// CHECK: %[[H:.*]] = stablehlo.reshape %[[W]] {{.*}} -> tensor<3x4x2x4xf32>
// CHECK: %[[P:.*]] = stablehlo.dot_general %[[X]], %[[H]], contracting_dims = [1] x [3] {{.*}} -> tensor<64x3x4x2xf32>
// CHECK: %[[R:.*]] = stablehlo.reshape %[[P]] {{.*}} -> tensor<8x8x3x4x2xf32>
// CHECK: return %[[R]]
// LOCAL-LABEL: func.func @heads
// LOCAL-NOT: {{(all_gather|all_to_all|collective_permute).*tensor<(64|8x8)x}}
// LOCAL: return
func.func @heads(%x: tensor<64x4xf32>, %w: tensor<24x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x8x3x4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"x"}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [1] : (tensor<64x4xf32>, tensor<24x4xf32>) -> tensor<64x24xf32>
  %1 = stablehlo.reshape %0 : (tensor<64x24xf32>) -> tensor<8x8x24xf32>
  %2 = stablehlo.reshape %1 : (tensor<8x8x24xf32>) -> tensor<8x8x3x4x2xf32>
  return %2 : tensor<8x8x3x4x2xf32>
}

// -----

// And its gradient, behind a transpose.
sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func @gradient
// CHECK-SAME: (%[[X:[^:]*]]: tensor<64x4xf32> {{.*}}, %[[W:[^:]*]]: tensor<4x24xf32> {{.*}}, %[[G:[^:]*]]: tensor<8x8x3x4x2xf32>
// CHECK: %[[R:.*]] = stablehlo.reshape %[[G]] {{.*}} -> tensor<64x3x4x2xf32>
// CHECK-DAG: %[[T:.*]] = stablehlo.transpose %[[R]], dims = [1, 2, 3, 0]
// CHECK-DAG: %[[DW:.*]] = stablehlo.dot_general %[[T]], %[[X]], contracting_dims = [3] x [0] {{.*}} -> tensor<3x4x2x4xf32>
// CHECK-DAG: %[[FLAT:.*]] = stablehlo.reshape %[[DW]] {{.*}} -> tensor<24x4xf32>
// CHECK-DAG: %[[H:.*]] = stablehlo.reshape %[[W]] {{.*}} -> tensor<4x3x4x2xf32>
// CHECK-DAG: %[[DX:.*]] = stablehlo.dot_general %[[R]], %[[H]], contracting_dims = [1, 2, 3] x [1, 2, 3]
// CHECK: return %[[DX]], %[[FLAT]]
// LOCAL-LABEL: func.func @gradient
// LOCAL-NOT: {{(all_gather|all_to_all|collective_permute).*tensor<(64|8x8)x}}
// LOCAL: return
func.func @gradient(%x: tensor<64x4xf32>, %w: tensor<4x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %g: tensor<8x8x3x4x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"x"}, {}]>})
    -> (tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<24x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.reshape %g : (tensor<8x8x3x4x2xf32>) -> tensor<64x24xf32>
  %dx = stablehlo.dot_general %0, %w, contracting_dims = [1] x [1] : (tensor<64x24xf32>, tensor<4x24xf32>) -> tensor<64x4xf32>
  %t = stablehlo.transpose %0, dims = [1, 0] : (tensor<64x24xf32>) -> tensor<24x64xf32>
  %dw = stablehlo.dot_general %t, %x, contracting_dims = [1] x [0] : (tensor<24x64xf32>, tensor<64x4xf32>) -> tensor<24x4xf32>
  return %dx, %dw : tensor<64x4xf32>, tensor<24x4xf32>
}

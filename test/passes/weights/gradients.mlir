// RUN: spmd-opt %s --spmd-propagate --spmd-move-weights | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=LOCAL
// RUN: spmd-run %s
// RUN: sed 's/stablehlo.concatenate %dp, %dq, dim = 1 : (tensor<64x8xf32>, tensor<64x16xf32>)/call @padded(%dp, %dq) : (tensor<64x8xf32>, tensor<64x16xf32>)/' %s > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-inline-functions --spmd-propagate --spmd-move-weights | FileCheck %s
// RUN: spmd-run %t.mlir

// The gradients of two parts are joined along a split dim, and read by products: of the input, a sum of two; of the weight,
// two that are joined; of the bias, two sums. And so if they are padded with zeros, and added.
sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:[^:]*]]: tensor<64x4xf32> {{.*}}, %[[W:[^:]*]]: tensor<4x24xf32> {{.*}}, %[[DP:[^:]*]]: tensor<64x8xf32> {{.*}}, %[[DQ:[^:]*]]: tensor<64x16xf32>
// CHECK: %[[W1:.*]] = stablehlo.slice %[[W]] [0:4, 0:8]
// CHECK: %[[DX1:.*]] = stablehlo.dot_general %[[DP]], %[[W1]], contracting_dims = [1] x [1]
// CHECK: %[[W2:.*]] = stablehlo.slice %[[W]] [0:4, 8:24]
// CHECK: %[[DX2:.*]] = stablehlo.dot_general %[[DQ]], %[[W2]], contracting_dims = [1] x [1]
// CHECK: %[[DX:.*]] = stablehlo.add %[[DX1]], %[[DX2]]
// CHECK: %[[DW1:.*]] = stablehlo.dot_general %[[X]], %[[DP]], contracting_dims = [0] x [0]
// CHECK: %[[DW2:.*]] = stablehlo.dot_general %[[X]], %[[DQ]], contracting_dims = [0] x [0]
// CHECK: %[[DW:.*]] = stablehlo.concatenate %[[DW1]], %[[DW2]], dim = 1
// CHECK: %[[DB1:.*]] = stablehlo.reduce(%[[DP]] init: {{.*}} across dimensions = [0]
// CHECK: %[[DB2:.*]] = stablehlo.reduce(%[[DQ]] init: {{.*}} across dimensions = [0]
// CHECK: %[[DB:.*]] = stablehlo.concatenate %[[DB1]], %[[DB2]], dim = 0
// CHECK: return %[[DX]], %[[DW]], %[[DB]]

// Both addends are summed at once.
// LOCAL-LABEL: func.func @main
// LOCAL-NOT: {{(all_gather|all_to_all|collective_permute).*tensor<64x}}
// LOCAL: "stablehlo.all_reduce"
// LOCAL-NOT: {{(all_gather|all_to_all|collective_permute).*tensor<64x}}
// LOCAL-NOT: "stablehlo.all_reduce"
// LOCAL: return
func.func @main(%x: tensor<64x4xf32>, %w: tensor<4x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %dp: tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %dq: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<64x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<24xf32>) {
  %g = stablehlo.concatenate %dp, %dq, dim = 1 : (tensor<64x8xf32>, tensor<64x16xf32>) -> tensor<64x24xf32>
  %dx = stablehlo.dot_general %g, %w, contracting_dims = [1] x [1] : (tensor<64x24xf32>, tensor<4x24xf32>) -> tensor<64x4xf32>
  %dw = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0] : (tensor<64x4xf32>, tensor<64x24xf32>) -> tensor<4x24xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %db = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<64x24xf32>, tensor<f32>) -> tensor<24xf32>
  return %dx, %dw, %db : tensor<64x4xf32>, tensor<4x24xf32>, tensor<24xf32>
}

func.func private @padded(%dp: tensor<64x8xf32>, %dq: tensor<64x16xf32>) -> tensor<64x24xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %dq, %zero, low = [0, 8], high = [0, 0], interior = [0, 0] : (tensor<64x16xf32>, tensor<f32>) -> tensor<64x24xf32>
  %1 = stablehlo.pad %dp, %zero, low = [0, 0], high = [0, 16], interior = [0, 0] : (tensor<64x8xf32>, tensor<f32>) -> tensor<64x24xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x24xf32>
  return %2 : tensor<64x24xf32>
}

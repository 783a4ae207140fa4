// RUN: spmd-opt %s --spmd-propagate --spmd-move-weights | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=LOCAL
// RUN: spmd-run %s

// What is cut of a product along a split dim is a product of a slice of the weight; the bias is cut, too. In four shards of
// 24 columns, no shard of the first 8 is one of the 24. On a device the weight is a fourth of the product.
sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:[^:]*]]: tensor<64x4xf32> {{.*}}, %[[W:[^:]*]]: tensor<4x24xf32> {{.*}}, %[[B:[^:]*]]: tensor<24xf32>
// CHECK: %[[W1:.*]] = stablehlo.slice %[[W]] [0:4, 0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x", ?}]>]>, spmd.inferred}
// CHECK-NEXT: %[[P:.*]] = stablehlo.dot_general %[[X]], %[[W1]], contracting_dims = [1] x [0]
// CHECK-NEXT: %[[B1:.*]] = stablehlo.slice %[[B]] [0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>, spmd.inferred}
// CHECK-NEXT: %[[R:.*]] = stablehlo.broadcast_in_dim %[[B1]], dims = [1] {{.*}} -> tensor<64x8xf32>
// CHECK-NEXT: %[[S:.*]] = stablehlo.add %[[P]], %[[R]]
// CHECK-NEXT: stablehlo.tanh %[[S]] {{.*}} : tensor<64x8xf32>
// CHECK: stablehlo.slice %[[W]] [0:4, 8:24]
// CHECK-NOT: tensor<64x24xf32>

// Nothing of the product moves: 64 x 24 elements in 4 shards are 1,536 bytes.
// LOCAL-LABEL: func.func @main
// LOCAL-NOT: tensor<64x24xf32>
// LOCAL-NOT: {{(all_gather|all_to_all|collective_permute).*tensor<64x}}
// LOCAL: return
func.func @main(%x: tensor<64x4xf32>, %w: tensor<4x24xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<24xf32>)
    -> (tensor<64x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x4xf32>, tensor<4x24xf32>) -> tensor<64x24xf32>
  %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<24xf32>) -> tensor<64x24xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x24xf32>
  %3 = stablehlo.tanh %2 : tensor<64x24xf32>
  %4 = stablehlo.slice %3 [0:64, 0:8] : (tensor<64x24xf32>) -> tensor<64x8xf32>
  %5 = stablehlo.slice %3 [0:64, 8:24] : (tensor<64x24xf32>) -> tensor<64x16xf32>
  return %4, %5 : tensor<64x8xf32>, tensor<64x16xf32>
}

// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>

// A partial sum wanted along a dim is reduced and scattered in one step, on a mesh in any device order.
// CHECK-LABEL: func.func @main(
// CHECK-NOT: stablehlo.all_reduce
// CHECK: "stablehlo.reduce_scatter"(%{{.+}}){{.*}}replica_groups = dense<{{\[\[}}7, 6, 5, 4], [3, 2, 1, 0]]>
func.func @main(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %b: tensor<16x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) -> (tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

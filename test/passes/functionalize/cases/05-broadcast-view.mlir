// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// A view that repeats elements is read; one that repeats none is stored through, too. (A store through one that
// repeats is an error, see functionalize-invalid.mlir.)

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK: stablehlo.broadcast_in_dim %{{.*}}, dims = [1] : (tensor<6xi32>) -> tensor<5x6xi32>
// CHECK: %[[T:.*]] = stablehlo.transpose %{{.*}}, dims = [1, 0, 2]
// CHECK: %[[NEW:.*]] = stablehlo.reshape %[[T]] : (tensor<6x1x1xi32>) -> tensor<6xi32>
// CHECK: %[[C:.*]] = sdy.sharding_constraint %[[NEW]]
// CHECK: return %{{.*}}, %[[C]]
// OFF-LABEL: func @main
// OFF: %[[NEW:.*]] = stablehlo.reshape %{{.*}} : (tensor<6x1x1xi32>) -> tensor<6xi32>
// OFF: spmd.store %[[NEW]]
func.func @main(%b: !spmd.buffer<tensor<6xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %t: tensor<1x6x1xi32>) -> tensor<5x6xi32> {
  %rows = spmd.broadcast_view %b, dims = [1] : (!spmd.buffer<tensor<6xi32>>) -> !spmd.buffer<tensor<5x6xi32>>
  %same = spmd.broadcast_view %b, dims = [1] : (!spmd.buffer<tensor<6xi32>>) -> !spmd.buffer<tensor<1x6x1xi32>>
  %0 = spmd.load %rows : !spmd.buffer<tensor<5x6xi32>>
  spmd.store %t, %same : !spmd.buffer<tensor<1x6x1xi32>>
  return %0 : tensor<5x6xi32>
}

// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// A constraint on a view stays with the accesses through the view, whatever is stored through it; the buffer learns
// its sharding through the inverse view.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK: %[[V:.*]] = stablehlo.transpose %{{.*}}, dims = [1, 0]
// CHECK: %[[IN:.*]] = sdy.sharding_constraint %[[V]] <@mesh, [{"y"}, {"x"}]>
// CHECK: %[[NEW:.*]] = stablehlo.add %[[IN]], %[[IN]]
// CHECK: %[[OUT:.*]] = sdy.sharding_constraint %[[NEW]] <@mesh, [{"y"}, {"x"}]>
// CHECK: stablehlo.transpose %[[OUT]], dims = [1, 0]
// OFF-LABEL: func @main
// OFF-COUNT-2: sdy.sharding_constraint %{{.*}} <@mesh, [{"y"}, {"x"}]>
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>>) -> tensor<5x6xi32> {
  %v = spmd.transpose_view %b, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>}
      : (!spmd.buffer<tensor<6x5xi32>>) -> !spmd.buffer<tensor<5x6xi32>>
  %0 = spmd.load %v : !spmd.buffer<tensor<5x6xi32>>
  %1 = stablehlo.add %0, %0 : tensor<5x6xi32>
  spmd.store %1, %v : !spmd.buffer<tensor<5x6xi32>>
  return %0 : tensor<5x6xi32>
}

// RUN: spmd-opt %s --spmd-propagate --spmd-reshard 2>&1 | FileCheck %s

sdy.mesh @mesh = <["x"=8]>

// A sort that runs whole is cut for those that read it split. Its first elements lie on one device then, and would be added
// up from all: they are read from what was sorted.
// CHECK-LABEL: func.func public @first_of_sorted
// CHECK: %[[WHOLE:.*]] = sdy.reshard %{{.*}} <@mesh, [{}, {}]>
// CHECK: %[[SORTED:.*]] = "stablehlo.sort"(%[[WHOLE]])
// CHECK-NOT: sdy.reshard
// CHECK: %[[FIRST:.*]] = stablehlo.slice %[[SORTED]]
// CHECK-NEXT: return %[[FIRST]]
func.func public @first_of_sorted(%x: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> tensor<4x3xf32> {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %1 = stablehlo.slice %0 [0:4, 0:3] : (tensor<4x64xf32>) -> tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

// What goes on split is cut as before.
// CHECK-LABEL: func.func public @scaled
// CHECK: %[[SORTED:.*]] = "stablehlo.sort"
// CHECK: %[[CUT:.*]] = sdy.reshard %[[SORTED]] <@mesh, [{}, {"x"}]>
// CHECK: stablehlo.multiply %[[CUT]], %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"x", ?}]>]>, spmd.inferred}
func.func public @scaled(%x: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %y: tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<4x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.compare GT, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }) : (tensor<4x64xf32>) -> tensor<4x64xf32>
  %1 = stablehlo.multiply %0, %y : tensor<4x64xf32>
  return %1 : tensor<4x64xf32>
}

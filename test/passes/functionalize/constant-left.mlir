// RUN: spmd-opt %s --spmd-pipeline=stop-after=propagate | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline="functionalize=false stop-after=propagate" | FileCheck %s
// RUN: %{both-modes}
// A constant that is left in an argument lies as the argument, also where that is decided late: its product with a
// whole tensor takes the rows that a read wanted away from it again.

sdy.mesh @mesh = <["x"=1, "y"=2]>

// CHECK-LABEL: func.func public @main(
// CHECK-SAME: %arg0: {{.*}}sdy.sharding = #sdy.sharding<@mesh, [[SHARDING:.*]]>, spmd.inferred, tf.aliasing_output = 1 : i32}
// CHECK-SAME: -> ({{.*}}, tensor<2x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [[SHARDING]]>, spmd.inferred})
func.func public @main(%b: !spmd.buffer<tensor<2x2xi32>>, %t: tensor<2x2xi32>) -> tensor<2x2xi32> {
  %rows = spmd.load %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : !spmd.buffer<tensor<2x2xi32>>
  %all = spmd.load %b : !spmd.buffer<tensor<2x2xi32>>
  %0 = stablehlo.dot_general %t, %t, contracting_dims = [1] x [0] : (tensor<2x2xi32>, tensor<2x2xi32>) -> tensor<2x2xi32>
  %1 = stablehlo.multiply %all, %t : tensor<2x2xi32>
  %bits = spmd.bitcast_view %b : (!spmd.buffer<tensor<2x2xi32>>) -> !spmd.buffer<tensor<2x2x4xi8>>
  %c = stablehlo.constant dense<0> : tensor<2x2x4xi8>
  spmd.store %c, %bits : !spmd.buffer<tensor<2x2x4xi8>>
  return %rows : tensor<2x2xi32>
}

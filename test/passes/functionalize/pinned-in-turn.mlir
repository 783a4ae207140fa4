// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s --check-prefix=VALUES
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s
// RUN: %{both-modes}
// A buffer that nobody pinned may hold in turn what is pinned otherwise: each lies as its own pin says. What the memory
// holds at first and what is left in it lie alike.

sdy.mesh @mesh = <["x"=2, "y"=3]>

// VALUES-LABEL: func.func @main(
// VALUES-SAME: %[[B:[a-z0-9]+]]: tensor<6x7xi32> {tf.aliasing_output = 2 : i32}
// VALUES: sdy.sharding_group %[[B]] group_id=0
// VALUES: %[[LEFT:.*]] = sdy.sharding_constraint
// VALUES-NEXT: sdy.sharding_group %[[LEFT]] group_id=0
// VALUES-NOT: sdy.sharding_group

// CHECK-LABEL: func.func @main(
// CHECK-SAME: tensor<6x3xi32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>, spmd.global_type = tensor<6x7xi32>, tf.aliasing_output = 2 : i32}
// CHECK-SAME: -> (tensor<3x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>, spmd.global_type = tensor<6x7xi32>}, tensor<6x7xi32> {
// CHECK-SAME: tensor<6x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>, spmd.global_type = tensor<6x7xi32>})
func.func @main(
    %b: !spmd.buffer<tensor<6x7xi32>>,
    %rows: tensor<6x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %whole: tensor<6x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<6x7xi32>, tensor<6x7xi32>) {
  spmd.store %rows, %b : !spmd.buffer<tensor<6x7xi32>>
  %0 = spmd.load %b : !spmd.buffer<tensor<6x7xi32>>
  %1 = stablehlo.add %0, %0 : tensor<6x7xi32>
  spmd.store %whole, %b : !spmd.buffer<tensor<6x7xi32>>
  %2 = spmd.load %b : !spmd.buffer<tensor<6x7xi32>>
  %3 = stablehlo.multiply %2, %2 : tensor<6x7xi32>
  %columns = sdy.sharding_constraint %3 <@mesh, [{}, {"y"}]> : tensor<6x7xi32>
  spmd.store %columns, %b : !spmd.buffer<tensor<6x7xi32>>
  %own = spmd.alloc : !spmd.buffer<tensor<6x7xi32>>
  spmd.store %rows, %own : !spmd.buffer<tensor<6x7xi32>>
  spmd.store %whole, %own : !spmd.buffer<tensor<6x7xi32>>
  %4 = spmd.load %own : !spmd.buffer<tensor<6x7xi32>>
  return %1, %4 : tensor<6x7xi32>, tensor<6x7xi32>
}

// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false --verify-diagnostics
// RUN: %{both-modes}
// A call may be given several parts of one buffer and write them, if slices tell that they have no element in common:
// halves of rows, then every second column and those between.

sdy.mesh @mesh = <["x"=2, "y"=2]>

func.func private @swap(%a: !spmd.buffer<tensor<4x3xi32>>, %b: !spmd.buffer<tensor<4x3xi32>>) {
  %0 = spmd.load %a : !spmd.buffer<tensor<4x3xi32>>
  %1 = spmd.load %b : !spmd.buffer<tensor<4x3xi32>>
  %2 = stablehlo.add %0, %1 : tensor<4x3xi32>
  spmd.store %1, %a : !spmd.buffer<tensor<4x3xi32>>
  spmd.store %2, %b : !spmd.buffer<tensor<4x3xi32>>
  return
}
func.func private @add_values(%a: tensor<?xi32>, %b: tensor<?xi32>) -> (tensor<?xi32>, tensor<?xi32>) {
  %0 = stablehlo.add %a, %b : tensor<?xi32>
  %1 = stablehlo.multiply %a, %b : tensor<?xi32>
  return %0, %1 : tensor<?xi32>, tensor<?xi32>
}
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[B:[^:]*]]: tensor<8x3xi32> {{.*}}tf.aliasing_output = 0 : i32}
// CHECK-DAG: %[[TOP:.*]] = stablehlo.slice %[[B]] [0:4, 0:3]
// CHECK-DAG: %[[LOW:.*]] = stablehlo.slice %[[B]] [4:8, 0:3]
// CHECK: call @swap(%[[TOP]], %[[LOW]])
func.func @main(%b: !spmd.buffer<tensor<8x3xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %c: !spmd.buffer<tensor<10xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  %top = spmd.slice_view %b [0:4, 0:3] : (!spmd.buffer<tensor<8x3xi32>>) -> !spmd.buffer<tensor<4x3xi32>>
  %low = spmd.slice_view %b [4:8, 0:3] : (!spmd.buffer<tensor<8x3xi32>>) -> !spmd.buffer<tensor<4x3xi32>>
  func.call @swap(%top, %low) : (!spmd.buffer<tensor<4x3xi32>>, !spmd.buffer<tensor<4x3xi32>>) -> ()
  %most = spmd.slice_view %c [1:9] : (!spmd.buffer<tensor<10xi32>>) -> !spmd.buffer<tensor<8xi32>>
  %even = spmd.slice_view %most [0:8:2] : (!spmd.buffer<tensor<8xi32>>) -> !spmd.buffer<tensor<4xi32>>
  %odd = spmd.slice_view %most [1:8:2] : (!spmd.buffer<tensor<8xi32>>) -> !spmd.buffer<tensor<4xi32>>
  stablehlo.custom_call @f(%even, %odd) {spmd.writes = array<i64: 0, 1>, spmd.reference = @add_values,
      spmd.rule = {dims = "([i], [i])->([i], [i])"}} : (!spmd.buffer<tensor<4xi32>>, !spmd.buffer<tensor<4xi32>>) -> ()
  return
}

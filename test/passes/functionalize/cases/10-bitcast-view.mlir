// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// A view of the same bits as another type, of the same width and of a narrower one, is a view like others.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK: %[[BITS:.*]] = stablehlo.bitcast_convert %{{.*}} : (tensor<6x5xi32>) -> tensor<6x5xui32>
// CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<6x5xui32>) -> tensor<6x5xi32>
// CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<6x5xi32>) -> tensor<6x5x4xi8>
// CHECK: stablehlo.bitcast_convert %{{.*}} : (tensor<6x5x4xi8>) -> tensor<6x5xi32>
// CHECK: return
// OFF-LABEL: func @main
// OFF: stablehlo.bitcast_convert %{{.*}} : (tensor<6x5xui32>) -> tensor<6x5xi32>
// OFF: spmd.store
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %t: tensor<6x5x1xi8>) {
  %v = spmd.bitcast_view %b : (!spmd.buffer<tensor<6x5xi32>>) -> !spmd.buffer<tensor<6x5xui32>>
  %0 = spmd.load %v : !spmd.buffer<tensor<6x5xui32>>
  %1 = stablehlo.shift_right_logical %0, %0 : tensor<6x5xui32>
  spmd.store %1, %v : !spmd.buffer<tensor<6x5xui32>>
  %bytes = spmd.bitcast_view %b : (!spmd.buffer<tensor<6x5xi32>>) -> !spmd.buffer<tensor<6x5x4xi8>>
  %second = spmd.slice_view %bytes [0:6, 0:5, 1:2] : (!spmd.buffer<tensor<6x5x4xi8>>) -> !spmd.buffer<tensor<6x5x1xi8>>
  spmd.store %t, %second : !spmd.buffer<tensor<6x5x1xi8>>
  return
}

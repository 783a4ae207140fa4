// RUN: spmd-opt %s --spmd-functionalize=functionalize=false --split-input-file | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --split-input-file | FileCheck %s --check-prefix=ON

// What a view shows is computed from what the whole buffer holds.
// CHECK-LABEL: func @load_slice
// CHECK-SAME: (%[[B:.*]]: !spmd.buffer<tensor<8x4xf32>>)
// CHECK: %[[T:.*]] = spmd.load %[[B]]
// CHECK: stablehlo.slice %[[T]] [0:4, 1:3:2]
// ON-LABEL: func @load_slice
// ON-SAME: (%[[B:.*]]: tensor<8x4xf32>) -> tensor<4x1xf32>
// ON-NEXT: %[[S:.*]] = stablehlo.slice %[[B]] [0:4, 1:3:2]
// ON-NEXT: return %[[S]]
func.func @load_slice(%b: !spmd.buffer<tensor<8x4xf32>>) -> tensor<4x1xf32> {
  %v = spmd.slice_view %b [0:4, 1:3:2] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4x1xf32>>
  %t = spmd.load %v : !spmd.buffer<tensor<4x1xf32>>
  return %t : tensor<4x1xf32>
}

// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false --spmd-functionalize | FileCheck %s
// No view is left in either mode, and what is computed is the same.

// CHECK-LABEL: func @load_of_slice
// CHECK-SAME: (%[[B:.*]]: tensor<8x4xf32>) -> tensor<4x1xf32>
// CHECK-NEXT: %[[S:.*]] = stablehlo.slice %[[B]] [0:4, 1:3:2]
// CHECK-NEXT: return %[[S]]
// OFF-LABEL: func @load_of_slice
// OFF-SAME: (%[[B:.*]]: !spmd.buffer<tensor<8x4xf32>>) -> tensor<4x1xf32>
// OFF-NEXT: %[[T:.*]] = spmd.load %[[B]] : !spmd.buffer<tensor<8x4xf32>>
// OFF-NEXT: %[[S:.*]] = stablehlo.slice %[[T]] [0:4, 1:3:2]
// OFF-NEXT: return %[[S]]
func.func @load_of_slice(%b: !spmd.buffer<tensor<8x4xf32>>) -> tensor<4x1xf32> {
  %v = spmd.slice_view %b [0:4, 1:3:2] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4x1xf32>>
  %t = spmd.load %v : !spmd.buffer<tensor<4x1xf32>>
  return %t : tensor<4x1xf32>
}

// A view made before the base is written shows what is written.
// CHECK-LABEL: func @stale_view
// CHECK-SAME: (%{{.*}}: tensor<2x3xf32> {tf.aliasing_output = 1 : i32}, %[[T:.*]]: tensor<2x3xf32>)
// CHECK-NEXT: %[[R:.*]] = stablehlo.transpose %[[T]], dims = [1, 0]
// CHECK-NEXT: return %[[R]], %[[T]]
func.func @stale_view(%b: !spmd.buffer<tensor<2x3xf32>>, %t: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %v = spmd.transpose_view %b, dims = [1, 0] : (!spmd.buffer<tensor<2x3xf32>>) -> !spmd.buffer<tensor<3x2xf32>>
  spmd.store %t, %b : !spmd.buffer<tensor<2x3xf32>>
  %r = spmd.load %v : !spmd.buffer<tensor<3x2xf32>>
  return %r : tensor<3x2xf32>
}

// Program order: where slices overlap, the later store wins.
// CHECK-LABEL: func @overlapping_slices
// CHECK-SAME: (%[[B:.*]]: tensor<8xf32> {tf.aliasing_output = 0 : i32}, %[[T:.*]]: tensor<4xf32>, %[[U:.*]]: tensor<4xf32>)
// CHECK: %[[AT0:.*]] = stablehlo.constant dense<0> : tensor<i32>
// CHECK: %[[FIRST:.*]] = stablehlo.dynamic_update_slice %[[B]], %[[T]], %[[AT0]]
// CHECK: %[[AT2:.*]] = stablehlo.constant dense<2> : tensor<i32>
// CHECK: %[[SECOND:.*]] = stablehlo.dynamic_update_slice %[[FIRST]], %[[U]], %[[AT2]]
// CHECK: return %[[SECOND]]
// OFF-LABEL: func @overlapping_slices
// OFF: %[[L0:.*]] = spmd.load %[[B:.*]] :
// OFF: %[[FIRST:.*]] = stablehlo.dynamic_update_slice %[[L0]]
// OFF: spmd.store %[[FIRST]], %[[B]]
// OFF: %[[L1:.*]] = spmd.load %[[B]]
// OFF: %[[SECOND:.*]] = stablehlo.dynamic_update_slice %[[L1]]
// OFF: spmd.store %[[SECOND]], %[[B]]
// OFF: %[[LAST:.*]] = spmd.load %[[B]]
// OFF: return %[[LAST]]
func.func @overlapping_slices(%b: !spmd.buffer<tensor<8xf32>>, %t: tensor<4xf32>, %u: tensor<4xf32>) {
  %v = spmd.slice_view %b [0:4] : (!spmd.buffer<tensor<8xf32>>) -> !spmd.buffer<tensor<4xf32>>
  %w = spmd.slice_view %b [2:6] : (!spmd.buffer<tensor<8xf32>>) -> !spmd.buffer<tensor<4xf32>>
  spmd.store %t, %v : !spmd.buffer<tensor<4xf32>>
  spmd.store %u, %w : !spmd.buffer<tensor<4xf32>>
  return
}

// A store goes back through each view of the chain, the last one first.
// CHECK-LABEL: func @view_of_view
// CHECK-SAME: (%[[B:.*]]: tensor<8x4xf32> {{.*}}, %[[T:.*]]: tensor<12xf32>)
// CHECK: %[[R:.*]] = stablehlo.reshape %[[T]] : (tensor<12xf32>) -> tensor<4x3xf32>
// CHECK: %[[TR:.*]] = stablehlo.transpose %[[R]], dims = [1, 0]
// CHECK: %[[NEW:.*]] = stablehlo.dynamic_update_slice %[[B]], %[[TR]]
// CHECK: return %[[NEW]], %[[NEW]]
func.func @view_of_view(%b: !spmd.buffer<tensor<8x4xf32>>, %t: tensor<12xf32>) -> tensor<8x4xf32> {
  %v = spmd.slice_view %b [2:5, 0:4] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<3x4xf32>>
  %w = spmd.transpose_view %v, dims = [1, 0] : (!spmd.buffer<tensor<3x4xf32>>) -> !spmd.buffer<tensor<4x3xf32>>
  %x = spmd.reshape_view %w : (!spmd.buffer<tensor<4x3xf32>>) -> !spmd.buffer<tensor<12xf32>>
  spmd.store %t, %x : !spmd.buffer<tensor<12xf32>>
  %r = spmd.load %b : !spmd.buffer<tensor<8x4xf32>>
  return %r : tensor<8x4xf32>
}

// The inner slice is replaced in what the outer one shows.
// CHECK-LABEL: func @slice_of_slice
// CHECK-SAME: (%[[B:.*]]: tensor<8x4xf32> {{.*}}, %[[T:.*]]: tensor<2x2xf32>)
// CHECK: %[[OUTER:.*]] = stablehlo.slice %[[B]] [2:6, 0:4]
// CHECK: %[[INNER:.*]] = stablehlo.dynamic_update_slice %[[OUTER]], %[[T]]
// CHECK: %[[NEW:.*]] = stablehlo.dynamic_update_slice %[[B]], %[[INNER]]
// CHECK: return %[[NEW]]
func.func @slice_of_slice(%b: !spmd.buffer<tensor<8x4xf32>>, %t: tensor<2x2xf32>) {
  %v = spmd.slice_view %b [2:6, 0:4] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4x4xf32>>
  %w = spmd.slice_view %v [1:3, 2:4] : (!spmd.buffer<tensor<4x4xf32>>) -> !spmd.buffer<tensor<2x2xf32>>
  spmd.store %t, %w : !spmd.buffer<tensor<2x2xf32>>
  return
}

// Of a permutation of three dims, the inverse is another one.
// CHECK-LABEL: func @transpose_of_rank_3
// CHECK: stablehlo.transpose %{{.*}}, dims = [2, 0, 1] : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
func.func @transpose_of_rank_3(%b: !spmd.buffer<tensor<2x3x4xf32>>, %t: tensor<3x4x2xf32>) {
  %v = spmd.transpose_view %b, dims = [1, 2, 0] : (!spmd.buffer<tensor<2x3x4xf32>>) -> !spmd.buffer<tensor<3x4x2xf32>>
  spmd.store %t, %v : !spmd.buffer<tensor<3x4x2xf32>>
  return
}

// What is stored is spread over the places that the view shows.
// CHECK-LABEL: func @strided_slice
// CHECK-SAME: (%[[B:.*]]: tensor<9xi32> {{.*}}, %[[T:.*]]: tensor<3xi32>)
// CHECK: %[[TRUE:.*]] = stablehlo.constant dense<true> : tensor<3xi1>
// CHECK: %[[MASK:.*]] = stablehlo.pad %[[TRUE]], %{{.*}}, low = [1], high = [1], interior = [2]
// CHECK: %[[SPREAD:.*]] = stablehlo.pad %[[T]], %{{.*}}, low = [1], high = [1], interior = [2]
// CHECK: %[[NEW:.*]] = stablehlo.select %[[MASK]], %[[SPREAD]], %[[B]]
// CHECK: return %[[NEW]]
func.func @strided_slice(%b: !spmd.buffer<tensor<9xi32>>, %t: tensor<3xi32>) {
  %v = spmd.slice_view %b [1:8:3] : (!spmd.buffer<tensor<9xi32>>) -> !spmd.buffer<tensor<3xi32>>
  spmd.store %t, %v : !spmd.buffer<tensor<3xi32>>
  return
}

// A store to all of a buffer needs nothing of what it held, a store to none of it changes nothing.
// CHECK-LABEL: func @all_and_nothing
// CHECK-SAME: (%[[B:.*]]: tensor<4xf32> {{.*}}, %[[T:.*]]: tensor<4xf32>, %{{.*}}: tensor<0xf32>)
// CHECK-NEXT: return %[[T]]
func.func @all_and_nothing(%b: !spmd.buffer<tensor<4xf32>>, %t: tensor<4xf32>, %u: tensor<0xf32>) {
  %v = spmd.slice_view %b [0:4] : (!spmd.buffer<tensor<4xf32>>) -> !spmd.buffer<tensor<4xf32>>
  %w = spmd.slice_view %b [2:2] : (!spmd.buffer<tensor<4xf32>>) -> !spmd.buffer<tensor<0xf32>>
  spmd.store %t, %v : !spmd.buffer<tensor<4xf32>>
  spmd.store %u, %w : !spmd.buffer<tensor<0xf32>>
  return
}

// A region may look at buffers from outside; it sees what they hold before the op.
// CHECK-LABEL: func @load_in_region
// CHECK-SAME: (%[[B:.*]]: tensor<4xf32>, %[[N:.*]]: tensor<i32>)
// CHECK: %[[S:.*]] = stablehlo.slice %[[B]] [0:2]
// CHECK: "stablehlo.case"(%[[N]])
// CHECK-NEXT: stablehlo.return %[[S]]
// OFF-LABEL: func @load_in_region
// OFF: %[[T:.*]] = spmd.load
// OFF: %[[S:.*]] = stablehlo.slice %[[T]] [0:2]
// OFF: "stablehlo.case"
// OFF-NEXT: stablehlo.return %[[S]]
func.func @load_in_region(%b: !spmd.buffer<tensor<4xf32>>, %n: tensor<i32>) -> tensor<2xf32> {
  %0 = "stablehlo.case"(%n) ({
    %v = spmd.slice_view %b [0:2] : (!spmd.buffer<tensor<4xf32>>) -> !spmd.buffer<tensor<2xf32>>
    %1 = spmd.load %v : !spmd.buffer<tensor<2xf32>>
    stablehlo.return %1 : tensor<2xf32>
  }) : (tensor<i32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

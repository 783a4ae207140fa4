// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF

// A callee returns what it leaves in the buffers that it writes, behind its own results.
// CHECK-LABEL: func private @accumulate
// CHECK-SAME: (%[[B:[^:]*]]: tensor<4xf32>, %[[R:[^:]*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[B]], %[[R]]
// CHECK-NEXT: return %[[B]], %[[SUM]]
// OFF-LABEL: func private @accumulate
// OFF-SAME: (%[[B:[^:]*]]: tensor<4xf32>, %[[R:[^:]*]]: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
// OFF-NEXT: %[[SUM:.*]] = stablehlo.add %[[B]], %[[R]]
// OFF-NEXT: return %[[B]], %[[SUM]]
func.func private @accumulate(%b: !spmd.buffer<tensor<4xf32>>, %r: !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32> {
  %0 = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  %1 = spmd.load %r : !spmd.buffer<tensor<4xf32>>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  spmd.store %2, %b : !spmd.buffer<tensor<4xf32>>
  return %0 : tensor<4xf32>
}

// CHECK-LABEL: func @call
// CHECK-SAME: (%[[B:[^:]*]]: tensor<4xf32> {tf.aliasing_output = 1 : i32}, %[[R:[^:]*]]: tensor<4xf32>)
// CHECK-NEXT: %[[FIRST:.*]]:2 = call @accumulate(%[[B]], %[[R]])
// CHECK-NEXT: %[[SECOND:.*]]:2 = call @accumulate(%[[FIRST]]#1, %[[R]])
// CHECK-NEXT: return %[[SECOND]]#0, %[[SECOND]]#1
// OFF-LABEL: func @call
// OFF-SAME: (%[[B:[^:]*]]: !spmd.buffer<tensor<4xf32>> {tf.aliasing_output = 1 : i32}, %[[R:[^:]*]]: !spmd.buffer<tensor<4xf32>>)
// OFF: %[[FIRST:.*]]:2 = call @accumulate
// OFF: spmd.store %[[FIRST]]#1, %[[B]]
// OFF: %[[LEFT:.*]] = spmd.load %[[B]]
// OFF: call @accumulate(%[[LEFT]],
func.func @call(%b: !spmd.buffer<tensor<4xf32>>, %r: !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32> {
  %0 = func.call @accumulate(%b, %r) : (!spmd.buffer<tensor<4xf32>>, !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32>
  %1 = func.call @accumulate(%b, %r) : (!spmd.buffer<tensor<4xf32>>, !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}

// A written view goes there and back.
// CHECK-LABEL: func @call_with_view
// CHECK-SAME: (%[[B:[^:]*]]: tensor<8xf32> {tf.aliasing_output = 1 : i32}, %[[R:[^:]*]]: tensor<4xf32>)
// CHECK: %[[S:.*]] = stablehlo.slice %[[B]] [2:6]
// CHECK: %[[C:.*]]:2 = call @accumulate(%[[S]], %[[R]])
// CHECK: %[[NEW:.*]] = stablehlo.dynamic_update_slice %[[B]], %[[C]]#1
// CHECK: return %[[C]]#0, %[[NEW]]
// OFF-LABEL: func @call_with_view
// OFF: %[[S:.*]] = stablehlo.slice
// OFF: %[[A:.*]] = spmd.alloc : !spmd.buffer<tensor<4xf32>>
// OFF: spmd.store %[[S]], %[[A]]
// OFF: %[[GIVEN:.*]] = spmd.load %[[A]]
// OFF: %[[LEFT:.*]]:2 = call @accumulate(%[[GIVEN]],
// OFF: spmd.store %[[LEFT]]#1, %[[A]]
// OFF: %[[L:.*]] = spmd.load %[[A]]
// OFF: stablehlo.dynamic_update_slice %{{.*}}, %[[L]]
func.func @call_with_view(%b: !spmd.buffer<tensor<8xf32>>, %r: !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32> {
  %v = spmd.slice_view %b [2:6] : (!spmd.buffer<tensor<8xf32>>) -> !spmd.buffer<tensor<4xf32>>
  %0 = func.call @accumulate(%v, %r) : (!spmd.buffer<tensor<4xf32>>, !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// A view that the callee only reads is not stored back.
// CHECK-LABEL: func @call_with_view_read
// CHECK: %[[C:.*]]:2 = call @accumulate
// CHECK-NOT: dynamic_update_slice
// CHECK: return %[[C]]#0, %[[C]]#1
func.func @call_with_view_read(%b: !spmd.buffer<tensor<8xf32>>, %w: !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32> {
  %v = spmd.slice_view %b [2:6] : (!spmd.buffer<tensor<8xf32>>) -> !spmd.buffer<tensor<4xf32>>
  %0 = func.call @accumulate(%w, %v) : (!spmd.buffer<tensor<4xf32>>, !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Stores of a callee count for its callers.
// CHECK-LABEL: func private @outer
// CHECK-SAME: -> tensor<4xf32>
// CHECK: %[[C:.*]]:2 = call @accumulate
// CHECK: return %[[C]]#1
func.func private @outer(%b: !spmd.buffer<tensor<4xf32>>, %r: !spmd.buffer<tensor<4xf32>>) {
  %0 = func.call @accumulate(%b, %r) : (!spmd.buffer<tensor<4xf32>>, !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32>
  return
}
// CHECK-LABEL: func @call_of_call
// CHECK: %[[C:.*]] = call @outer
// CHECK: return %[[C]]
func.func @call_of_call(%b: !spmd.buffer<tensor<4xf32>>, %r: !spmd.buffer<tensor<4xf32>>) {
  func.call @outer(%b, %r) : (!spmd.buffer<tensor<4xf32>>, !spmd.buffer<tensor<4xf32>>) -> ()
  return
}

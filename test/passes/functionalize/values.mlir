// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF

// A tensor loaded before a store is the one from before.
// CHECK-LABEL: func @copy_before_mutation
// CHECK-SAME: (%[[B:.*]]: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[B]]
// CHECK-NEXT: return %[[B]], %[[N]]
func.func @copy_before_mutation(%b: !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32> {
  %old = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  %new = stablehlo.negate %old : tensor<4xf32>
  spmd.store %new, %b : !spmd.buffer<tensor<4xf32>>
  return %old : tensor<4xf32>
}

// CHECK-LABEL: func @mutated_and_returned
// CHECK-SAME: (%[[B:.*]]: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[B]]
// CHECK-NEXT: return %[[N]], %[[N]]
func.func @mutated_and_returned(%b: !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32> {
  %old = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  %new = stablehlo.negate %old : tensor<4xf32>
  spmd.store %new, %b : !spmd.buffer<tensor<4xf32>>
  return %new : tensor<4xf32>
}

// However often a buffer is stored to, it is donated to one result.
// CHECK-LABEL: func @stores_in_sequence
// CHECK-SAME: (%[[B:.*]]: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32>
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[B]]
// CHECK-NEXT: %[[A:.*]] = stablehlo.abs %[[N]]
// CHECK-NEXT: return %[[A]] : tensor<4xf32>
func.func @stores_in_sequence(%b: !spmd.buffer<tensor<4xf32>>) {
  %0 = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  spmd.store %1, %b : !spmd.buffer<tensor<4xf32>>
  %2 = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  %3 = stablehlo.abs %2 : tensor<4xf32>
  spmd.store %3, %b : !spmd.buffer<tensor<4xf32>>
  return
}

// Stores that nobody sees are dropped, in both modes.
// CHECK-LABEL: func @dead_stores
// CHECK-SAME: (%{{.*}}: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %[[T:.*]]: tensor<4xf32>)
// CHECK: return %[[T]]
// OFF-LABEL: func @dead_stores
// OFF-SAME: (%[[B:.*]]: !spmd.buffer<tensor<4xf32>> {tf.aliasing_output = 0 : i32}, %[[T:.*]]: tensor<4xf32>)
// OFF-NOT: spmd.alloc
// OFF-NOT: spmd.store
// OFF: spmd.store %[[T]], %[[B]]
// OFF-NEXT: %[[L:.*]] = spmd.load %[[B]]
// OFF-NEXT: return %[[L]]
func.func @dead_stores(%b: !spmd.buffer<tensor<4xf32>>, %t: tensor<4xf32>) {
  %n = stablehlo.negate %t : tensor<4xf32>
  spmd.store %n, %b : !spmd.buffer<tensor<4xf32>>
  %a = spmd.alloc : !spmd.buffer<tensor<4xf32>>
  spmd.store %n, %a : !spmd.buffer<tensor<4xf32>>
  spmd.store %t, %b : !spmd.buffer<tensor<4xf32>>
  return
}

// A buffer that is only read becomes a tensor, and there is no result for it. Results come in the order of
// the arguments, not of the stores.
// CHECK-LABEL: func @read_and_written
// CHECK-SAME: (%[[A:.*]]: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %[[R:.*]]: tensor<4xf32>, %[[T:.*]]: tensor<4xf32>,
// CHECK-SAME: %[[C:.*]]: tensor<4xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<4xf32>, tensor<4xf32>)
// CHECK-NEXT: return %[[T]], %[[R]]
// OFF-LABEL: func @read_and_written
// OFF-SAME: !spmd.buffer<tensor<4xf32>> {tf.aliasing_output = 0 : i32}, %{{.*}}: !spmd.buffer<tensor<4xf32>>, %{{.*}}: tensor<4xf32>,
// OFF-SAME: !spmd.buffer<tensor<4xf32>> {tf.aliasing_output = 1 : i32}) -> (tensor<4xf32>, tensor<4xf32>)
func.func @read_and_written(%a: !spmd.buffer<tensor<4xf32>>, %r: !spmd.buffer<tensor<4xf32>>, %t: tensor<4xf32>,
                            %c: !spmd.buffer<tensor<4xf32>>) {
  %0 = spmd.load %r : !spmd.buffer<tensor<4xf32>>
  spmd.store %0, %c : !spmd.buffer<tensor<4xf32>>
  spmd.store %t, %a : !spmd.buffer<tensor<4xf32>>
  return
}

// A new buffer holds zeros.
// CHECK-LABEL: func @alloc
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0> : tensor<4xi32>
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<1xi32>
// CHECK: stablehlo.dynamic_update_slice %[[ZERO]], %[[ONE]]
func.func @alloc() -> tensor<4xi32> {
  %b = spmd.alloc : !spmd.buffer<tensor<4xi32>>
  %1 = stablehlo.constant dense<1> : tensor<1xi32>
  %v = spmd.slice_view %b [2:3] : (!spmd.buffer<tensor<4xi32>>) -> !spmd.buffer<tensor<1xi32>>
  spmd.store %1, %v : !spmd.buffer<tensor<1xi32>>
  %0 = spmd.load %b : !spmd.buffer<tensor<4xi32>>
  return %0 : tensor<4xi32>
}

// A functional program is as it was, donations included; so is the functional part of a mixed one.
// CHECK-LABEL: func @functional
// CHECK-SAME: (%[[T:.*]]: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32>
// CHECK-NEXT: %[[N:.*]] = stablehlo.negate %[[T]]
// CHECK-NEXT: return %[[N]]
func.func @functional(%t: tensor<4xf32> {tf.aliasing_output = 0 : i32}) -> tensor<4xf32> {
  %0 = stablehlo.negate %t : tensor<4xf32>
  return %0 : tensor<4xf32>
}

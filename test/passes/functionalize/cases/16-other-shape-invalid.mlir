// RUN: not spmd-opt %s --split-input-file 2>&1 | FileCheck %s
// A buffer never changes its shape or type: what replaces all of it is alike.

// CHECK: error: use of value '%t' expects different type than prior uses: 'tensor<4xi32>' vs 'tensor<6xi32>'
func.func @main(%b: !spmd.buffer<tensor<4xi32>>, %t: tensor<6xi32>) {
  spmd.store %t, %b : !spmd.buffer<tensor<4xi32>>
  return
}

// -----

// CHECK: error: 'spmd.store' op failed to verify that the value is what the buffer holds
func.func @generic(%b: !spmd.buffer<tensor<4xi32>>, %t: tensor<6xi32>) {
  "spmd.store"(%t, %b) : (tensor<6xi32>, !spmd.buffer<tensor<4xi32>>) -> ()
  return
}

// RUN: spmd-opt %s --spmd-prune | FileCheck %s

// A loop that only writes buffers of its own is gone with what it carried, and so is a buffer that nobody reads. What is
// stored in an argument is seen outside.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %[[B:[^:]*]]: !spmd.buffer<tensor<8xf32>>, %[[T:[^:]*]]: tensor<8xf32>
// CHECK-NEXT: spmd.store %[[T]], %[[B]]
// CHECK-NEXT: return
func.func @main(%b: !spmd.buffer<tensor<8xf32>>, %t: tensor<8xf32>, %n: tensor<i1>) {
  %0 = stablehlo.negate %t : tensor<8xf32>
  %1 = stablehlo.while(%c = %0) : tensor<8xf32>
    cond { stablehlo.return %n : tensor<i1> }
    do {
      %own = spmd.alloc : !spmd.buffer<tensor<8xf32>>
      spmd.store %c, %own : !spmd.buffer<tensor<8xf32>>
      %2 = spmd.load %own : !spmd.buffer<tensor<8xf32>>
      stablehlo.return %2 : tensor<8xf32>
    }
  %unread = spmd.alloc : !spmd.buffer<tensor<8xf32>>
  spmd.store %1, %unread : !spmd.buffer<tensor<8xf32>>
  %3 = spmd.load %unread : !spmd.buffer<tensor<8xf32>>
  spmd.store %t, %b : !spmd.buffer<tensor<8xf32>>
  return
}

// A callee that writes buffers of its own alone has no effect; one that writes its argument has.
// CHECK-LABEL: func.func @calls(
// CHECK-NEXT: call @writes
// CHECK-NEXT: return
// CHECK-NOT: @keeps
func.func @calls(%b: !spmd.buffer<tensor<8xf32>>, %t: tensor<8xf32>) {
  func.call @writes(%b, %t) : (!spmd.buffer<tensor<8xf32>>, tensor<8xf32>) -> ()
  func.call @keeps(%t) : (tensor<8xf32>) -> ()
  return
}
func.func private @writes(%b: !spmd.buffer<tensor<8xf32>>, %t: tensor<8xf32>) {
  spmd.store %t, %b : !spmd.buffer<tensor<8xf32>>
  return
}
func.func private @keeps(%t: tensor<8xf32>) {
  %own = spmd.alloc : !spmd.buffer<tensor<8xf32>>
  spmd.store %t, %own : !spmd.buffer<tensor<8xf32>>
  return
}

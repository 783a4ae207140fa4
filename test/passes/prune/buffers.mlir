// RUN: spmd-opt %s --spmd-prune --split-input-file | FileCheck %s

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

// -----

// Once nobody looks, a store is for nobody, and so is what it stores.
// CHECK-LABEL: func.func @main(%arg0: !spmd.buffer<tensor<4xf32>>, %arg1: tensor<4xf32>)
// CHECK-NEXT: spmd.store %arg1, %arg0
// CHECK-NEXT: return
func.func @main(%b: !spmd.buffer<tensor<4xf32>>, %t: tensor<4xf32>) {
  %0 = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  %1 = stablehlo.negate %0 : tensor<4xf32>
  spmd.store %1, %b : !spmd.buffer<tensor<4xf32>>
  %2 = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  %3 = stablehlo.tanh %2 : tensor<4xf32>
  spmd.store %t, %b : !spmd.buffer<tensor<4xf32>>
  return
}

// -----

// A view shows what is stored to its buffer, and so does a callee.
// CHECK-LABEL: func.func @main(
// CHECK: spmd.store
// CHECK: spmd.load
// CHECK: spmd.store
// CHECK: call @look
// CHECK: spmd.store
func.func @main(%b: !spmd.buffer<tensor<4xf32>>, %c: !spmd.buffer<tensor<4xf32>>, %t: tensor<4xf32>) -> (tensor<2xf32>, tensor<4xf32>) {
  %v = spmd.slice_view %b [0:2:1] : (!spmd.buffer<tensor<4xf32>>) -> !spmd.buffer<tensor<2xf32>>
  spmd.store %t, %b : !spmd.buffer<tensor<4xf32>>
  %0 = spmd.load %v : !spmd.buffer<tensor<2xf32>>
  %1 = stablehlo.negate %t : tensor<4xf32>
  spmd.store %1, %b : !spmd.buffer<tensor<4xf32>>
  spmd.store %1, %c : !spmd.buffer<tensor<4xf32>>
  %2 = call @look(%c) : (!spmd.buffer<tensor<4xf32>>) -> tensor<4xf32>
  spmd.store %t, %c : !spmd.buffer<tensor<4xf32>>
  return %0, %2 : tensor<2xf32>, tensor<4xf32>
}
func.func private @look(%b: !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32> {
  %0 = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  return %0 : tensor<4xf32>
}

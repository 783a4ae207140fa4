// RUN: spmd-opt %s --spmd-propagate --spmd-reshard --split-input-file | FileCheck %s

// A buffer stays as it lies: what is stored comes to it, what is loaded goes from there.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @store_and_load
func.func @store_and_load(%b: !spmd.buffer<tensor<4x6xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                          %t: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  // CHECK-NEXT: %[[IN:.*]] = sdy.reshard %arg1 <@mesh, [{"x"}, {}]>
  // CHECK-NEXT: spmd.store %[[IN]], %arg0
  spmd.store %t, %b : !spmd.buffer<tensor<4x6xf32>>
  // CHECK-NEXT: %[[OUT:.*]] = spmd.load %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>, spmd.inferred}
  %r = spmd.load %b : !spmd.buffer<tensor<4x6xf32>>
  // CHECK-NEXT: %[[R:.*]] = sdy.reshard %[[OUT]] <@mesh, [{}, {"x"}]>
  // CHECK-NEXT: return %[[R]]
  return %r : tensor<4x6xf32>
}

// -----

// A callee that wants a buffer to lie otherwise works on one of its own, which is copied back.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @call
func.func @call(%b: !spmd.buffer<tensor<4x6xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK-NEXT: %[[LENT:.*]] = spmd.alloc {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>, spmd.inferred}
  // CHECK-NEXT: %[[BEFORE:.*]] = spmd.load %arg0
  // CHECK-NEXT: %[[IN:.*]] = sdy.reshard %[[BEFORE]] <@mesh, [{}, {"x"}]>
  // CHECK-NEXT: spmd.store %[[IN]], %[[LENT]]
  // CHECK-NEXT: call @callee(%[[LENT]])
  // CHECK-NEXT: %[[AFTER:.*]] = spmd.load %[[LENT]]
  // CHECK-NEXT: %[[OUT:.*]] = sdy.reshard %[[AFTER]] <@mesh, [{"x"}, {}]>
  // CHECK-NEXT: spmd.store %[[OUT]], %arg0
  func.call @callee(%b) : (!spmd.buffer<tensor<4x6xf32>>) -> ()
  return
}
func.func private @callee(%b: !spmd.buffer<tensor<4x6xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = spmd.load %b : !spmd.buffer<tensor<4x6xf32>>
  %1 = stablehlo.negate %0 : tensor<4x6xf32>
  spmd.store %1, %b : !spmd.buffer<tensor<4x6xf32>>
  return
}

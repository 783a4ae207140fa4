// RUN: spmd-opt %s --spmd-forward-contents | FileCheck %s
// RUN: spmd-opt %s --spmd-forward-contents --spmd-forward-contents | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=3]>

// An argument is read once, at the start, and written once, at the end.
// CHECK-LABEL: func @argument
// CHECK-SAME: (%[[B:[^:]*]]: !spmd.buffer<tensor<4xf32>> {{.*}}, %[[T:[^:]*]]: tensor<4xf32>
// CHECK-NEXT: %[[OLD:.*]] = spmd.load %[[B]] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>, spmd.inferred}
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[OLD]], %[[T]]
// CHECK-NEXT: %[[NEG:.*]] = stablehlo.negate %[[SUM]]
// CHECK-NEXT: spmd.store %[[NEG]], %[[B]]
// CHECK-NEXT: %[[LEFT:.*]] = spmd.load %[[B]] {sdy.sharding
// CHECK-NEXT: return %[[OLD]], %[[LEFT]]
func.func @argument(
    %b: !spmd.buffer<tensor<4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>, spmd.inferred, tf.aliasing_output = 1 : i32},
    %t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %old = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  %sum = stablehlo.add %old, %t : tensor<4xf32>
  spmd.store %sum, %b : !spmd.buffer<tensor<4xf32>>
  %now = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  %negated = stablehlo.negate %now : tensor<4xf32>
  spmd.store %negated, %b : !spmd.buffer<tensor<4xf32>>
  %left = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  return %old, %left : tensor<4xf32>, tensor<4xf32>
}

// One that is only written is not read, one that is only read is not written.
// CHECK-LABEL: func @one_way
// CHECK-SAME: (%[[B:[^:]*]]: !spmd.buffer<tensor<4xf32>>, %[[C:[^:]*]]: !spmd.buffer<tensor<4xf32>>)
// CHECK-NEXT: %[[READ:.*]] = spmd.load %[[B]]
// CHECK-NEXT: spmd.store %[[READ]], %[[C]]
// CHECK-NEXT: return
func.func @one_way(%b: !spmd.buffer<tensor<4xf32>>, %c: !spmd.buffer<tensor<4xf32>>) {
  %0 = spmd.load %b : !spmd.buffer<tensor<4xf32>>
  spmd.store %0, %c : !spmd.buffer<tensor<4xf32>>
  return
}

// What a pinned buffer holds is constrained to its pin; where that leaves a dim open, what was loaded says how it lies.
// CHECK-LABEL: func @pinned
// CHECK-SAME: (%[[T:.*]]: tensor<4x6xf32>)
// CHECK-NEXT: %[[HELD:.*]] = sdy.sharding_constraint %[[T]] <@mesh, [{"x"}, {"y", ?}]>
// CHECK-NEXT: return %[[HELD]]
func.func @pinned(%t: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %b = spmd.alloc {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {?}]>]>} : !spmd.buffer<tensor<4x6xf32>>
  spmd.store %t, %b : !spmd.buffer<tensor<4x6xf32>>
  %0 = spmd.load %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {"y", ?}]>]>, spmd.inferred} : !spmd.buffer<tensor<4x6xf32>>
  return %0 : tensor<4x6xf32>
}

// A buffer that is read before a store is zeros, which lie as it does.
// CHECK-LABEL: func @zeros
// CHECK-NEXT: %[[ZERO:.*]] = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", ?}]>]>, spmd.inferred} dense<0.000000e+00> : tensor<6xf32>
// CHECK-NEXT: return %[[ZERO]]
func.func @zeros() -> tensor<6xf32> {
  %b = spmd.alloc {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y", ?}]>]>, spmd.inferred} : !spmd.buffer<tensor<6xf32>>
  %0 = spmd.load %b : !spmd.buffer<tensor<6xf32>>
  return %0 : tensor<6xf32>
}

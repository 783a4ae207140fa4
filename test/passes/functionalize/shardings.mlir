// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF

sdy.mesh @mesh = <["x"=2]>

// The sharding of a buffer survives on argument and result, and holds for all that is stored.
// CHECK-LABEL: func @pinned_buffer
// CHECK-SAME: (%{{.*}}: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, tf.aliasing_output = 0 : i32}, %[[T:.*]]: tensor<4xf32>)
// CHECK-SAME: -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
// CHECK-NEXT: %[[C:.*]] = sdy.sharding_constraint %[[T]] <@mesh, [{"x"}]>
// CHECK-NEXT: return %[[C]]
// OFF-LABEL: func @pinned_buffer
// OFF-SAME: !spmd.buffer<tensor<4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, tf.aliasing_output = 0 : i32}
// OFF-SAME: -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
// OFF-NEXT: spmd.store
func.func @pinned_buffer(%b: !spmd.buffer<tensor<4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %t: tensor<4xf32>) {
  spmd.store %t, %b : !spmd.buffer<tensor<4xf32>>
  return
}

// Pinned whole is pinned, too.
// CHECK-LABEL: func @pinned_whole
// CHECK-SAME: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, tf.aliasing_output = 0 : i32}
// CHECK-SAME: -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
// CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{}]>
func.func @pinned_whole(%b: !spmd.buffer<tensor<4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, %t: tensor<4xf32>) {
  spmd.store %t, %b : !spmd.buffer<tensor<4xf32>>
  return
}

// A buffer without a sharding stays without one; what it leaves lies as what it holds at first.
// CHECK-LABEL: func @unspecified_buffer
// CHECK-SAME: (%[[B:.*]]: tensor<4xf32> {tf.aliasing_output = 0 : i32}, %[[T:.*]]: tensor<4xf32>) -> tensor<4xf32>
// CHECK-DAG: sdy.sharding_group %[[B]] group_id=[[ID:[0-9]+]]
// CHECK-DAG: sdy.sharding_group %[[T]] group_id=[[ID]]
// CHECK: return %[[T]]
func.func @unspecified_buffer(%b: !spmd.buffer<tensor<4xf32>>, %t: tensor<4xf32>) {
  spmd.store %t, %b : !spmd.buffer<tensor<4xf32>>
  return
}

// A constraint on a view stays where the view is read and written; it is not moved to the buffer.
// CHECK-LABEL: func @constraint_on_view
// CHECK-SAME: (%{{.*}}: tensor<4x2xf32> {tf.aliasing_output = 1 : i32}, %[[T:.*]]: tensor<2x4xf32>)
// CHECK: %[[IN:.*]] = sdy.sharding_constraint %[[T]] <@mesh, [{}, {"x"}]>
// CHECK: %[[NEW:.*]] = stablehlo.transpose %[[IN]], dims = [1, 0]
// CHECK: %[[SHOWN:.*]] = stablehlo.transpose %[[NEW]], dims = [1, 0]
// CHECK: %[[OUT:.*]] = sdy.sharding_constraint %[[SHOWN]] <@mesh, [{}, {"x"}]>
// CHECK: return %[[OUT]], %[[NEW]]
// OFF-LABEL: func @constraint_on_view
// OFF: %[[IN:.*]] = sdy.sharding_constraint %{{.*}} <@mesh, [{}, {"x"}]>
// OFF: %[[NEW:.*]] = stablehlo.transpose %[[IN]], dims = [1, 0]
// OFF: spmd.store %[[NEW]], %[[B:.*]] :
// OFF: %[[L:.*]] = spmd.load %[[B]]
// OFF: %[[SHOWN:.*]] = stablehlo.transpose %[[L]], dims = [1, 0]
// OFF: %[[OUT:.*]] = sdy.sharding_constraint %[[SHOWN]] <@mesh, [{}, {"x"}]>
func.func @constraint_on_view(%b: !spmd.buffer<tensor<4x2xf32>>, %t: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %v = spmd.transpose_view %b, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
      : (!spmd.buffer<tensor<4x2xf32>>) -> !spmd.buffer<tensor<2x4xf32>>
  spmd.store %t, %v : !spmd.buffer<tensor<2x4xf32>>
  %r = spmd.load %v : !spmd.buffer<tensor<2x4xf32>>
  return %r : tensor<2x4xf32>
}

// The pin of a view in the middle of a chain is met on the way back, too.
// CHECK-LABEL: func @constraint_inside_chain
// CHECK: %[[R:.*]] = stablehlo.reshape %{{.*}} : (tensor<8xf32>) -> tensor<2x4xf32>
// CHECK: %[[C:.*]] = sdy.sharding_constraint %[[R]] <@mesh, [{"x"}, {}]>
// CHECK: stablehlo.transpose %[[C]], dims = [1, 0]
func.func @constraint_inside_chain(%b: !spmd.buffer<tensor<4x2xf32>>, %t: tensor<8xf32>) {
  %v = spmd.transpose_view %b, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}, {}]>]>}
      : (!spmd.buffer<tensor<4x2xf32>>) -> !spmd.buffer<tensor<2x4xf32>>
  %w = spmd.reshape_view %v : (!spmd.buffer<tensor<2x4xf32>>) -> !spmd.buffer<tensor<8xf32>>
  spmd.store %t, %w : !spmd.buffer<tensor<8xf32>>
  return
}

// A pin on a load pins the tensor, not the buffer.
// CHECK-LABEL: func @constraint_on_load
// CHECK-SAME: (%[[B:.*]]: tensor<4xf32>)
// CHECK-NEXT: %[[C:.*]] = sdy.sharding_constraint %[[B]] <@mesh, [{"x"}]>
// CHECK-NEXT: return %[[C]]
func.func @constraint_on_load(%b: !spmd.buffer<tensor<4xf32>>) -> tensor<4xf32> {
  %0 = spmd.load %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : !spmd.buffer<tensor<4xf32>>
  return %0 : tensor<4xf32>
}

// Shardings that propagation found are no pins.
// CHECK-LABEL: func @inferred_is_no_pin
// CHECK-NOT: sharding_constraint
// CHECK: return
func.func @inferred_is_no_pin(%b: !spmd.buffer<tensor<4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, spmd.inferred}) -> tensor<4xf32> {
  %0 = spmd.load %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>, spmd.inferred} : !spmd.buffer<tensor<4xf32>>
  spmd.store %0, %b : !spmd.buffer<tensor<4xf32>>
  return %0 : tensor<4xf32>
}

// A pinned new buffer holds sharded zeros at first.
// CHECK-LABEL: func @pinned_alloc
// CHECK: stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} dense<0.000000e+00>
// CHECK: sdy.sharding_constraint %{{.*}} <@mesh, [{"x"}]>
func.func @pinned_alloc(%t: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %a = spmd.alloc {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : !spmd.buffer<tensor<4xf32>>
  %0 = spmd.load %a : !spmd.buffer<tensor<4xf32>>
  spmd.store %t, %a : !spmd.buffer<tensor<4xf32>>
  %1 = spmd.load %a : !spmd.buffer<tensor<4xf32>>
  return %0, %1 : tensor<4xf32>, tensor<4xf32>
}

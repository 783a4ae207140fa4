// RUN: spmd-opt %s --spmd-functionalize 2> %t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN < %t.err
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize 2> %t.err | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false 2> %t.err | FileCheck %s --check-prefix=OFF
// RUN: FileCheck %s --check-prefix=WARN < %t.err
// RUN: %{both-modes}
// A buffer that is written cannot be donated to a result that is something else: what is written would be lost with it. It
// is a further result, as without the donation.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// WARN: :[[#@LINE+14]]:17: warning: argument 0 is donated to result 0, which is not what it holds at the end; the donation is dropped, and what it holds is a further result
// WARN: :[[#@LINE+15]]:17: warning: argument 2 is donated to result 2, and has 'spmd.not_donated'; the donation is dropped
// WARN-NOT: warning
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[B:[^:]*]]: tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 3 : i32}
// CHECK-SAME: %[[C:[^:]*]]: tensor<6x5xi32> {tf.aliasing_output = 1 : i32}, %[[D:[^:]*]]: tensor<6x5xi32>, %{{[^:]*}}: tensor<6x5xi32>)
// CHECK: %[[NEW:.*]] = sdy.sharding_constraint
// CHECK: return %[[B]], %[[STORED:.*]], %{{.*}}, %[[NEW]], %{{.*}} :
// OFF-LABEL: func @main
// OFF-SAME: tf.aliasing_output = 3 : i32
// OFF-SAME: tf.aliasing_output = 1 : i32
// OFF-NOT: tf.aliasing_output
// OFF: spmd.store
// OFF: return
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32},
                %c: !spmd.buffer<tensor<6x5xi32>> {tf.aliasing_output = 1 : i32},
                %d: !spmd.buffer<tensor<6x5xi32>> {tf.aliasing_output = 2 : i32, spmd.not_donated}, %t: tensor<6x5xi32>)
    -> (tensor<6x5xi32>, tensor<6x5xi32>, tensor<6x5xi32>) {
  %old = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %new = stablehlo.add %old, %t : tensor<6x5xi32>
  spmd.store %new, %b : !spmd.buffer<tensor<6x5xi32>>
  // What was stored last is what the buffer holds: this donation stays.
  %more = stablehlo.multiply %t, %t : tensor<6x5xi32>
  spmd.store %t, %c : !spmd.buffer<tensor<6x5xi32>>
  spmd.store %more, %c : !spmd.buffer<tensor<6x5xi32>>
  spmd.store %more, %d : !spmd.buffer<tensor<6x5xi32>>
  return %old, %more, %more : tensor<6x5xi32>, tensor<6x5xi32>, tensor<6x5xi32>
}

// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s --check-prefix=LOCAL
// RUN: spmd-opt %s --spmd-check-rules 2>&1 | FileCheck %s --check-prefix=RULES --allow-empty
// RUN: %{both-modes}
// Custom calls on buffers. `accumulate` adds to the buffer that it is given, and returns the sum of each row; `rows`
// reads only. In both modes a call takes what buffers hold, and what it leaves in them is a result of its own.

sdy.mesh @mesh = <["x"=2, "y"=3]>

// RULES-NOT: error

// CHECK-LABEL: func @main
// CHECK-SAME: (%[[B:[^:]*]]: tensor<7x5xf32> {{.*}}tf.aliasing_output = 1 : i32}
// CHECK: %[[R:.*]]:2 = stablehlo.custom_call @accumulate(%[[B]], %{{.*}}) {
// CHECK-SAME: output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [1], operand_index = 0, operand_tuple_indices = []>]
// CHECK: %[[HELD:.*]] = sdy.sharding_constraint %[[R]]#1 <@mesh, [{"x"}, {}]>
// CHECK: %[[S:.*]] = stablehlo.slice %[[HELD]] [1:6, 0:5]
// CHECK: %[[V:.*]]:2 = stablehlo.custom_call @accumulate(%[[S]], %{{.*}})
// CHECK: stablehlo.dynamic_update_slice %[[HELD]], %[[V]]#1
// CHECK: stablehlo.while
// CHECK: stablehlo.custom_call @accumulate
// CHECK-NOT: spmd.{{store|load}}
// CHECK: stablehlo.custom_call @rows(%{{.*}}) {spmd.reference
// CHECK-NOT: output_operand_aliases
// CHECK: return
// OFF-LABEL: func @main
// OFF: %[[L:.*]] = spmd.load %[[B:.*]] :
// OFF: %[[R:.*]]:2 = stablehlo.custom_call @accumulate(%[[L]], %{{.*}})
// OFF: spmd.store %[[R]]#1, %[[B]]
// LOCAL-LABEL: func.func @main
// LOCAL: stablehlo.custom_call @accumulate({{.*}}) {{.*}} : (tensor<4x5xf32>, tensor<4x5xf32>) -> (tensor<4xf32>, tensor<4x5xf32>)
// LOCAL: stablehlo.custom_call @rows({{.*}}) {{.*}} : (tensor<4x5xf32>) -> tensor<4xf32>
// LOCAL: module @spmd.references
func.func @main(%b: !spmd.buffer<tensor<7x5xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %t: tensor<7x5xf32>, %u: tensor<5x5xf32>) -> tensor<7xf32> {
  %0 = stablehlo.custom_call @accumulate(%b, %t) {spmd.writes = array<i64: 0>, spmd.reference = @accumulate_values,
      spmd.rule = {dims = "([i, j], [i, j])->([i], [i, j]) need_replication={j}"}}
      : (!spmd.buffer<tensor<7x5xf32>>, tensor<7x5xf32>) -> tensor<7xf32>
  %v = spmd.slice_view %b [1:6, 0:5] : (!spmd.buffer<tensor<7x5xf32>>) -> !spmd.buffer<tensor<5x5xf32>>
  %1 = stablehlo.custom_call @accumulate(%v, %u) {spmd.reference = @accumulate_values,
      spmd.rule = {dims = "([i, j], [i, j])->([i], [i, j]) need_replication={j}", writes = array<i64: 0>}}
      : (!spmd.buffer<tensor<5x5xf32>>, tensor<5x5xf32>) -> tensor<5xf32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %last = stablehlo.constant dense<2> : tensor<i32>
  %2 = stablehlo.while(%i = %first) : tensor<i32>
   cond {
    %goes = stablehlo.compare LT, %i, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes : tensor<i1>
  } do {
    %3 = stablehlo.custom_call @accumulate(%b, %t) {spmd.writes = array<i64: 0>, spmd.reference = @accumulate_values,
        spmd.rule = {dims = "([i, j], [i, j])->([i], [i, j]) need_replication={j}"}}
        : (!spmd.buffer<tensor<7x5xf32>>, tensor<7x5xf32>) -> tensor<7xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next : tensor<i32>
  }
  %4 = stablehlo.custom_call @rows(%b) {spmd.writes = array<i64>, spmd.reference = @row_sums,
      spmd.rule = {dims = "([i, j])->([i]) need_replication={j}"}} : (!spmd.buffer<tensor<7x5xf32>>) -> tensor<7xf32>
  return %4 : tensor<7xf32>
}
func.func private @row_sums(%b: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%b init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @accumulate_values(%b: tensor<?x?xf32>, %t: tensor<?x?xf32>) -> (tensor<?xf32>, tensor<?x?xf32>) {
  %0 = stablehlo.add %b, %t : tensor<?x?xf32>
  %1 = func.call @row_sums(%0) : (tensor<?x?xf32>) -> tensor<?xf32>
  return %1, %0 : tensor<?xf32>, tensor<?x?xf32>
}

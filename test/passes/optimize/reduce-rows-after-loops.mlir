// RUN: spmd-opt %s --spmd-optimize --split-input-file | FileCheck %s
// RUN: spmd-opt %s --spmd-optimize=hoist=0 --split-input-file | FileCheck %s --check-prefix=NONE

// What a loop writes row by row from reduced values is reduced as a whole behind it.
// CHECK-LABEL: func.func @losses
// CHECK: %[[R:.*]]:2 = stablehlo.while(
// CHECK-NOT: all_reduce
// CHECK: %[[SHARE:.*]] = stablehlo.multiply %arg0
// CHECK: %[[ROWS:.*]] = stablehlo.dynamic_update_slice %{{.*}}, %[[SHARE]], %iterArg, %
// CHECK: stablehlo.return %{{.*}}, %[[ROWS]]
// CHECK: %[[ALL:.*]] = "stablehlo.all_reduce"(%[[R]]#1)
// CHECK: (tensor<5x2xf32>) -> tensor<5x2xf32>
// CHECK: return %[[ALL]]
// NONE-LABEL: func.func @losses
// NONE: "stablehlo.all_reduce"
// NONE: stablehlo.dynamic_update_slice
func.func @losses(%p: tensor<1x2xf32>) -> tensor<5x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<5x2xf32>
  %0:2 = stablehlo.while(%i = %zero, %rows = %init) : tensor<i32>, tensor<5x2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %v = stablehlo.multiply %p, %all : tensor<1x2xf32>
    %2 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %3 = stablehlo.dynamic_update_slice %rows, %2, %i, %zero : (tensor<5x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<5x2xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<5x2xf32>
  }
  return %0#1 : tensor<5x2xf32>
}

// -----

// The largest, too, where the rest of the rows is lower than all.
// CHECK-LABEL: func.func @largest
// CHECK: stablehlo.while
// CHECK: stablehlo.dynamic_update_slice
// CHECK: "stablehlo.all_reduce"
func.func @largest(%p: tensor<1x2xf32>) -> tensor<5x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<0xFF800000> : tensor<5x2xf32>
  %0:2 = stablehlo.while(%i = %zero, %rows = %init) : tensor<i32>, tensor<5x2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %v = stablehlo.multiply %p, %all : tensor<1x2xf32>
    %2 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %3 = stablehlo.dynamic_update_slice %rows, %2, %i, %zero : (tensor<5x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<5x2xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<5x2xf32>
  }
  return %0#1 : tensor<5x2xf32>
}

// -----

// Not where rows that no turn writes would be lost: zeros are no lowest.
// CHECK-LABEL: func.func @largest_of_zeros
// CHECK: stablehlo.while
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: "stablehlo.all_reduce"
func.func @largest_of_zeros(%p: tensor<1x2xf32>) -> tensor<5x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<5x2xf32>
  %0:2 = stablehlo.while(%i = %zero, %rows = %init) : tensor<i32>, tensor<5x2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %v = stablehlo.multiply %p, %all : tensor<1x2xf32>
    %2 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %3 = stablehlo.dynamic_update_slice %rows, %2, %i, %zero : (tensor<5x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<5x2xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<5x2xf32>
  }
  return %0#1 : tensor<5x2xf32>
}

// -----

// Nor counted on each device.
// CHECK-LABEL: func.func @sum_with_ones
// CHECK: stablehlo.while
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: "stablehlo.all_reduce"
func.func @sum_with_ones(%p: tensor<1x2xf32>) -> tensor<5x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<1.0> : tensor<5x2xf32>
  %0:2 = stablehlo.while(%i = %zero, %rows = %init) : tensor<i32>, tensor<5x2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %v = stablehlo.multiply %p, %all : tensor<1x2xf32>
    %2 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %3 = stablehlo.dynamic_update_slice %rows, %2, %i, %zero : (tensor<5x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<5x2xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<5x2xf32>
  }
  return %0#1 : tensor<5x2xf32>
}

// -----

// Nor where each device writes at a place of its own.
// CHECK-LABEL: func.func @own_place
// CHECK: stablehlo.while
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: "stablehlo.all_reduce"
func.func @own_place(%p: tensor<1x2xf32>) -> tensor<5x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<5x2xf32>
  %0:2 = stablehlo.while(%i = %zero, %rows = %init) : tensor<i32>, tensor<5x2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %id = stablehlo.partition_id : tensor<ui32>
    %place = stablehlo.convert %id : (tensor<ui32>) -> tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %v = stablehlo.multiply %p, %all : tensor<1x2xf32>
    %2 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %3 = stablehlo.dynamic_update_slice %rows, %2, %place, %zero : (tensor<5x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<5x2xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<5x2xf32>
  }
  return %0#1 : tensor<5x2xf32>
}

// -----

// Nor where nobody knows the place.
// CHECK-LABEL: func.func @place_of_data
// CHECK: stablehlo.while
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: "stablehlo.all_reduce"
func.func @place_of_data(%p: tensor<1x2xf32>, %n: tensor<i32>) -> tensor<5x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<5x2xf32>
  %0:2 = stablehlo.while(%i = %zero, %rows = %init) : tensor<i32>, tensor<5x2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %v = stablehlo.multiply %p, %all : tensor<1x2xf32>
    %2 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %3 = stablehlo.dynamic_update_slice %rows, %2, %n, %zero : (tensor<5x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<5x2xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<5x2xf32>
  }
  return %0#1 : tensor<5x2xf32>
}

// -----

// Nor where more would be moved than the turns write.
// CHECK-LABEL: func.func @mostly_unwritten
// CHECK: stablehlo.while
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: "stablehlo.all_reduce"
func.func @mostly_unwritten(%p: tensor<1x2xf32>) -> tensor<6x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<6x2xf32>
  %0:2 = stablehlo.while(%i = %zero, %rows = %init) : tensor<i32>, tensor<6x2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %v = stablehlo.multiply %p, %all : tensor<1x2xf32>
    %2 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %3 = stablehlo.dynamic_update_slice %rows, %2, %i, %zero : (tensor<6x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<6x2xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<6x2xf32>
  }
  return %0#1 : tensor<6x2xf32>
}

// -----

// Or may be.
// CHECK-LABEL: func.func @unknown_turns
// CHECK: stablehlo.while
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: "stablehlo.all_reduce"
func.func @unknown_turns(%p: tensor<1x2xf32>, %n: tensor<i32>) -> tensor<5x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<5x2xf32>
  %0:2 = stablehlo.while(%i = %zero, %rows = %init) : tensor<i32>, tensor<5x2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %v = stablehlo.multiply %p, %all : tensor<1x2xf32>
    %2 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %3 = stablehlo.dynamic_update_slice %rows, %2, %i, %zero : (tensor<5x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<5x2xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<5x2xf32>
  }
  return %0#1 : tensor<5x2xf32>
}

// -----

// Nor where the next turn reads the rows.
// CHECK-LABEL: func.func @read_in_turns
// CHECK: stablehlo.while
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: "stablehlo.all_reduce"
func.func @read_in_turns(%p: tensor<1x2xf32>) -> tensor<5x2xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<5x2xf32>
  %0:2 = stablehlo.while(%i = %zero, %rows = %init) : tensor<i32>, tensor<5x2xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1x2xf32>
    %v = stablehlo.multiply %p, %all : tensor<1x2xf32>
    %2 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<1x2xf32>) -> tensor<1x2xf32>
    %3 = stablehlo.dynamic_update_slice %rows, %2, %i, %zero : (tensor<5x2xf32>, tensor<1x2xf32>, tensor<i32>, tensor<i32>) -> tensor<5x2xf32>
    %read = stablehlo.sine %rows : tensor<5x2xf32>
    stablehlo.return %1, %read : tensor<i32>, tensor<5x2xf32>
  }
  return %0#1 : tensor<5x2xf32>
}

// -----

// Nor where a row is large: it is reduced while the next is made.
// CHECK-LABEL: func.func @large_rows
// CHECK: stablehlo.while
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.dynamic_update_slice
// CHECK-NOT: "stablehlo.all_reduce"
func.func @large_rows(%p: tensor<1x65xf32>) -> tensor<5x65xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %five = stablehlo.constant dense<5> : tensor<i32>
  %init = stablehlo.constant dense<0.0> : tensor<5x65xf32>
  %0:2 = stablehlo.while(%i = %zero, %rows = %init) : tensor<i32>, tensor<5x65xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %five : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %f = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %all = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<1x65xf32>
    %v = stablehlo.multiply %p, %all : tensor<1x65xf32>
    %2 = "stablehlo.all_reduce"(%v) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<1x65xf32>) -> tensor<1x65xf32>
    %3 = stablehlo.dynamic_update_slice %rows, %2, %i, %zero : (tensor<5x65xf32>, tensor<1x65xf32>, tensor<i32>, tensor<i32>) -> tensor<5x65xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<5x65xf32>
  }
  return %0#1 : tensor<5x65xf32>
}

// RUN: spmd-opt %s --spmd-optimize=hoist=64 --split-input-file | FileCheck %s
// RUN: spmd-opt %s --spmd-optimize=hoist=0 --split-input-file | FileCheck %s --check-prefix=NONE

// What a loop adds up from reduced values is added up first, from zero, and reduced behind it, where what there was is added.
// CHECK-LABEL: func.func @sum
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<4xf32>
// CHECK: %[[R:.*]]:2 = stablehlo.while({{.*}} = %arg0, %{{.*}} = %[[ZERO]])
// CHECK: %[[SUM:.*]] = stablehlo.add %arg2, %iterArg_0
// CHECK: stablehlo.return %{{.*}}, %[[SUM]]
// CHECK: %[[ALL:.*]] = "stablehlo.all_reduce"(%[[R]]#1)
// CHECK: %[[WITH:.*]] = stablehlo.add %arg1, %[[ALL]]
// CHECK: return %[[WITH]]
func.func @sum(%n: tensor<i32>, %init: tensor<4xf32>, %p: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = stablehlo.while(%i = %n, %s = %init) : tensor<i32>, tensor<4xf32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.subtract %i, %one : tensor<i32>
    %2 = "stablehlo.all_reduce"(%p) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %4 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %4 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.add %2, %s : tensor<4xf32>
    stablehlo.return %1, %3 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

// A reduce-scatter, too, where what is handed on may grow: by 16 bytes. Through a function that nothing else calls.
// CHECK-LABEL: func.func @scattered
// CHECK: %[[LOW:.*]] = stablehlo.constant dense<0xFF800000> : tensor<8xf32>
// CHECK: %[[R:.*]]:2 = stablehlo.while({{.*}} = %arg0, %{{.*}} = %[[LOW]])
// CHECK: func.call @most(%iterArg_0, %arg2) : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
// CHECK: %[[MOST:.*]] = "stablehlo.reduce_scatter"(%[[R]]#1)
// CHECK: stablehlo.maximum %arg1, %[[MOST]] : tensor<4xf32>
// CHECK-LABEL: func.func private @most
// CHECK-NEXT: %[[M:.*]] = stablehlo.maximum %arg0, %arg1 : tensor<8xf32>
// CHECK-NEXT: return %[[M]]
// NONE-LABEL: func.func @scattered
// NONE-LABEL: func.func private @most
// NONE: "stablehlo.reduce_scatter"
func.func @scattered(%n: tensor<i32>, %init: tensor<4xf32>, %p: tensor<8xf32>) -> tensor<4xf32> {
  %0:2 = stablehlo.while(%i = %n, %s = %init) : tensor<i32>, tensor<4xf32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.subtract %i, %one : tensor<i32>
    %2 = func.call @most(%s, %p) : (tensor<4xf32>, tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}
func.func private @most(%s: tensor<4xf32>, %p: tensor<8xf32>) -> tensor<4xf32> {
  %0 = "stablehlo.reduce_scatter"(%p) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) {scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<8xf32>) -> tensor<4xf32>
  %1 = stablehlo.maximum %s, %0 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// So what a loop in a loop collects from a zero that is repeated leaves both.
// CHECK-LABEL: func.func @two_loops
// CHECK-NOT: all_reduce
// CHECK: %[[S:.*]] = stablehlo.add %{{.*}}, %{{.*}}#1 : tensor<4xf32>
// CHECK-NOT: all_reduce
// CHECK: stablehlo.return %{{.*}}, %[[S]]
// CHECK: "stablehlo.all_reduce"
// CHECK: return
func.func @two_loops(%n: tensor<i32>, %init: tensor<4xf32>, %p: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:2 = stablehlo.while(%i = %n, %s = %init) : tensor<i32>, tensor<4xf32>
  cond {
    %1 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %empty = stablehlo.broadcast_in_dim %none, dims = [] : (tensor<f32>) -> tensor<4xf32>
    %1:2 = stablehlo.while(%j = %n, %t = %empty) : tensor<i32>, tensor<4xf32>
    cond {
      %2 = stablehlo.compare GT, %j, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = "stablehlo.all_reduce"(%p) ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        %5 = stablehlo.add %a, %b : tensor<f32>
        stablehlo.return %5 : tensor<f32>
      }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
      %3 = stablehlo.add %t, %2 : tensor<4xf32>
      %4 = stablehlo.subtract %j, %one : tensor<i32>
      stablehlo.return %4, %3 : tensor<i32>, tensor<4xf32>
    }
    %2 = stablehlo.add %s, %1#1 : tensor<4xf32>
    %3 = stablehlo.subtract %i, %one : tensor<i32>
    stablehlo.return %3, %2 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}

// -----

// Also where the inner one is in a function that the outer one calls.
// CHECK-LABEL: func.func @calls_a_loop
// CHECK: func.call @looped
// CHECK: "stablehlo.all_reduce"
// CHECK-LABEL: func.func private @looped
// CHECK-NOT: all_reduce
func.func @calls_a_loop(%n: tensor<i32>, %init: tensor<4xf32>, %p: tensor<4xf32>) -> tensor<4xf32> {
  %0:2 = stablehlo.while(%i = %n, %s = %init) : tensor<i32>, tensor<4xf32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.subtract %i, %one : tensor<i32>
    %2 = func.call @looped(%n, %s, %p) : (tensor<i32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<4xf32>
  }
  return %0#1 : tensor<4xf32>
}
func.func private @looped(%n: tensor<i32>, %s: tensor<4xf32>, %p: tensor<4xf32>) -> tensor<4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<4xf32>
  %0:2 = stablehlo.while(%j = %n, %t = %none) : tensor<i32>, tensor<4xf32>
  cond {
    %2 = stablehlo.compare GT, %j, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %2 = "stablehlo.all_reduce"(%p) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %5 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %5 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.add %t, %2 : tensor<4xf32>
    %4 = stablehlo.subtract %j, %one : tensor<i32>
    stablehlo.return %4, %3 : tensor<i32>, tensor<4xf32>
  }
  %1 = stablehlo.add %s, %0#1 : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// -----

// What is read in the loop as well, or collected otherwise than reduced, or from one turn alone, stays in the loop.
// CHECK-LABEL: func.func @stays
// CHECK: stablehlo.while
// CHECK-COUNT-2: "stablehlo.all_reduce"
// CHECK: stablehlo.while
// CHECK: "stablehlo.all_reduce"
// CHECK: return %[[A:.*]]#1, %[[A]]#2, %{{.*}}#1 : tensor
// CHECK-NOT: all_reduce
func.func @stays(%n: tensor<i32>, %init: tensor<4xf32>, %p: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %0:3 = stablehlo.while(%i = %n, %s = %init, %t = %init) : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  cond {
    %1 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.subtract %i, %one : tensor<i32>
    %sin = stablehlo.sine %s : tensor<4xf32>
    %2 = "stablehlo.all_reduce"(%sin) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %6 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
    %3 = stablehlo.add %s, %2 : tensor<4xf32>
    %cos = stablehlo.cosine %s : tensor<4xf32>
    %4 = "stablehlo.all_reduce"(%cos) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %6 = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %6 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
    %5 = stablehlo.add %t, %4 : tensor<4xf32>
    stablehlo.return %1, %3, %5 : tensor<i32>, tensor<4xf32>, tensor<4xf32>
  }
  %7:2 = stablehlo.while(%i = %zero, %s = %init) : tensor<i32>, tensor<4xf32>
  cond {
    %8 = stablehlo.compare LT, %i, %one : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  } do {
    %8 = stablehlo.add %i, %one : tensor<i32>
    %9 = "stablehlo.all_reduce"(%p) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %11 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %11 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, use_global_device_ids} : (tensor<4xf32>) -> tensor<4xf32>
    %10 = stablehlo.add %s, %9 : tensor<4xf32>
    stablehlo.return %8, %10 : tensor<i32>, tensor<4xf32>
  }
  return %0#1, %0#2, %7#1 : tensor<4xf32>, tensor<4xf32>, tensor<4xf32>
}

// -----

// What is reduced is put into another shape before it is added: it is added as it is, and shaped behind the loop.
// CHECK-LABEL: func.func @shaped
// CHECK: %[[ZERO:.*]] = stablehlo.constant dense<0.000000e+00> : tensor<2x3x2xf32>
// CHECK: %[[R:.*]]:2 = stablehlo.while({{.*}} = %arg0, %{{.*}} = %[[ZERO]])
// CHECK-NOT: reduce_scatter
// CHECK: %[[FIRST:.*]] = stablehlo.add %iterArg_0, %arg2
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %arg3, %[[FIRST]]
// CHECK-NEXT: stablehlo.return %{{.*}}, %[[SUM]]
// CHECK: %[[PIECE:.*]] = "stablehlo.reduce_scatter"(%[[R]]#1)
// CHECK: %[[ROWS:.*]] = stablehlo.reshape %[[PIECE]] : (tensor<1x3x2xf32>) -> tensor<3x2xf32>
// CHECK: %[[TURNED:.*]] = stablehlo.transpose %[[ROWS]], dims = [1, 0]
// CHECK: %[[WITH:.*]] = stablehlo.add %arg1, %[[TURNED]] : tensor<2x3xf32>
// CHECK: return %[[WITH]]
func.func @shaped(%n: tensor<i32>, %init: tensor<2x3xf32>, %p: tensor<2x3x2xf32>, %q: tensor<2x3x2xf32>) -> tensor<2x3xf32> {
  %0:2 = stablehlo.while(%i = %n, %s = %init) : tensor<i32>, tensor<2x3xf32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.subtract %i, %one : tensor<i32>
    %2 = "stablehlo.reduce_scatter"(%p) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %10 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<2x3x2xf32>) -> tensor<1x3x2xf32>
    %3 = stablehlo.reshape %2 : (tensor<1x3x2xf32>) -> tensor<3x2xf32>
    %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %5 = stablehlo.add %s, %4 : tensor<2x3xf32>
    %6 = "stablehlo.reduce_scatter"(%q) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %10 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids} : (tensor<2x3x2xf32>) -> tensor<1x3x2xf32>
    %7 = stablehlo.reshape %6 : (tensor<1x3x2xf32>) -> tensor<3x2xf32>
    %8 = stablehlo.transpose %7, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
    %9 = stablehlo.add %8, %5 : tensor<2x3xf32>
    stablehlo.return %1, %9 : tensor<i32>, tensor<2x3xf32>
  }
  return %0#1 : tensor<2x3xf32>
}

// -----

// What is put into one shape in two ways is not added up before.
// CHECK-LABEL: func.func @shaped_in_two_ways
// CHECK: stablehlo.while
// CHECK: %[[P:.*]] = "stablehlo.all_reduce"
// CHECK: stablehlo.transpose %[[P]]
// CHECK: "stablehlo.all_reduce"
// CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<2x2xf32>
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @shaped_in_two_ways(%n: tensor<i32>, %init: tensor<2x2xf32>, %p: tensor<2x2xf32>, %q: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0:2 = stablehlo.while(%i = %n, %s = %init) : tensor<i32>, tensor<2x2xf32>
  cond {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.compare GT, %i, %zero : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.subtract %i, %one : tensor<i32>
    %float = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
    %turn = stablehlo.broadcast_in_dim %float, dims = [] : (tensor<f32>) -> tensor<2x2xf32>
    %pTurn = stablehlo.multiply %p, %turn : tensor<2x2xf32>
    %qTurn = stablehlo.multiply %q, %turn : tensor<2x2xf32>
    %2 = "stablehlo.all_reduce"(%pTurn) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %10 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %4 = stablehlo.add %s, %3 : tensor<2x2xf32>
    %5 = "stablehlo.all_reduce"(%qTurn) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %10 = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %10 : tensor<f32>
    }) {replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, use_global_device_ids} : (tensor<2x2xf32>) -> tensor<2x2xf32>
    %6 = stablehlo.add %4, %5 : tensor<2x2xf32>
    stablehlo.return %1, %6 : tensor<i32>, tensor<2x2xf32>
  }
  return %0#1 : tensor<2x2xf32>
}

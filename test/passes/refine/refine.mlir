// RUN: split-file %s %t
// RUN: spmd-opt %t/ops.mlir --spmd-refine-shapes=sizes=3,5,3 | FileCheck %t/ops.mlir
// RUN: spmd-opt %t/static.mlir --spmd-refine-shapes | FileCheck %t/static.mlir
// RUN: spmd-opt %t/calls.mlir --spmd-refine-shapes=sizes=3,5 | FileCheck %t/calls.mlir
// RUN: spmd-opt %t/regions.mlir --spmd-refine-shapes=sizes=3 | FileCheck %t/regions.mlir
// RUN: spmd-opt %t/branches.mlir --spmd-refine-shapes=sizes=3 | FileCheck %t/branches.mlir --check-prefixes=CHECK,SMALL
// RUN: spmd-opt %t/branches.mlir --spmd-refine-shapes=sizes=6 | FileCheck %t/branches.mlir --check-prefixes=CHECK,LARGE
// RUN: spmd-opt %t/custom.mlir --spmd-refine-shapes=sizes=6 | FileCheck %t/custom.mlir
// RUN: spmd-opt %t/chlo.mlir --spmd-refine-shapes=sizes=3,5 | FileCheck %t/chlo.mlir
// RUN: spmd-run %t/chlo.mlir --sizes=3,5
// RUN: spmd-opt %t/bounds.mlir --spmd-refine-shapes=sizes=3 | FileCheck %t/bounds.mlir

//--- ops.mlir
// Sizes are followed through ops; arithmetic on them is gone; ops whose sizes are operands are their
// static forms.
// CHECK-LABEL: func @main
// CHECK-SAME: (%[[X:.*]]: tensor<3x5xf32>, %[[Y:.*]]: tensor<3x4xf32>) -> (tensor<3x9xf32>, tensor<15x2xf32>, tensor<7x2xf32>, tensor<6x4xi32>, tensor<2x4xf32>)
func.func @main(%x: tensor<?x?xf32>, %y: tensor<?x4xf32>)
    -> (tensor<?x?xf32>, tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x4xi32>, tensor<?x?xf32>) {
  // CHECK-NEXT: stablehlo.constant dense<0.0
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  // CHECK-NEXT: %[[JOINED:.*]] = stablehlo.concatenate %[[X]], %[[Y]], dim = 1 : (tensor<3x5xf32>, tensor<3x4xf32>) -> tensor<3x9xf32>
  %joined = stablehlo.concatenate %x, %y, dim = 1 : (tensor<?x?xf32>, tensor<?x4xf32>) -> tensor<?x?xf32>
  %rows = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %x, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
  %count = stablehlo.multiply %rows, %columns : tensor<i32>
  %count1 = stablehlo.reshape %count : (tensor<i32>) -> tensor<1xi32>
  // CHECK-NEXT: %[[FLAT:.*]] = stablehlo.reshape %[[X]] : (tensor<3x5xf32>) -> tensor<15xf32>
  %flat = stablehlo.dynamic_reshape %x, %count1 : (tensor<?x?xf32>, tensor<1xi32>) -> tensor<?xf32>
  %two1 = stablehlo.reshape %two : (tensor<i32>) -> tensor<1xi32>
  %spreadShape = stablehlo.concatenate %count1, %two1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // CHECK-NEXT: stablehlo.broadcast_in_dim %[[FLAT]], dims = [0] : (tensor<15xf32>) -> tensor<15x2xf32>
  %spread = stablehlo.dynamic_broadcast_in_dim %flat, %spreadShape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x2xf32>
  %low = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %interior = stablehlo.constant dense<[1, 0]> : tensor<2xi32>
  %minus = stablehlo.subtract %two, %columns : tensor<i32>
  %minus1 = stablehlo.reshape %minus : (tensor<i32>) -> tensor<1xi32>
  %one1 = stablehlo.constant dense<1> : tensor<1xi32>
  %high = stablehlo.concatenate %one1, %minus1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // CHECK-NEXT: stablehlo.pad %[[X]], %{{.*}}, low = [1, 0], high = [1, -3], interior = [1, 0] : (tensor<3x5xf32>, tensor<f32>) -> tensor<7x2xf32>
  %padded = stablehlo.dynamic_pad %x, %zero, %low, %high, %interior : (tensor<?x?xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %double = stablehlo.add %rows, %rows : tensor<i32>
  %double1 = stablehlo.reshape %double : (tensor<i32>) -> tensor<1xi32>
  %four1 = stablehlo.constant dense<4> : tensor<1xi32>
  %iotaShape = stablehlo.concatenate %double1, %four1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  // CHECK-NEXT: stablehlo.iota dim = 1 : tensor<6x4xi32>
  %iota = stablehlo.dynamic_iota %iotaShape, dim = 1 : (tensor<2xi32>) -> tensor<?x4xi32>
  %start = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %limitRows = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %limitColumns = stablehlo.reshape %columns : (tensor<i32>) -> tensor<1xi32>
  %limit = stablehlo.concatenate %limitRows, %limitColumns, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %strides = stablehlo.constant dense<1> : tensor<2xi32>
  // CHECK-NEXT: stablehlo.slice %[[X]] [1:3, 1:5] : (tensor<3x5xf32>) -> tensor<2x4xf32>
  %sliced = stablehlo.real_dynamic_slice %x, %start, %limit, %strides : (tensor<?x?xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  // CHECK-NEXT: return
  return %joined, %spread, %padded, %iota, %sliced : tensor<?x?xf32>, tensor<?x2xf32>, tensor<?x?xf32>, tensor<?x4xi32>, tensor<?x?xf32>
}

//--- static.mlir
// A program whose sizes follow from constants needs no arguments to say them. What only the run
// knows is checked then, if the type is static.
// CHECK-LABEL: func @main
// CHECK-SAME: -> (tensor<2x3xi64>, tensor<6xi64>)
func.func @main(%shape: tensor<1xi64>) -> (tensor<?x?xi64>, tensor<6xi64>) {
  // CHECK-NOT: constant
  // CHECK: %[[IOTA:.*]] = stablehlo.iota dim = 0 : tensor<2x3xi64>
  %sizes = stablehlo.constant dense<[2, 3]> : tensor<2xi64>
  %0 = stablehlo.dynamic_iota %sizes, dim = 0 : (tensor<2xi64>) -> tensor<?x?xi64>
  // CHECK: stablehlo.dynamic_reshape %[[IOTA]], %arg0 : (tensor<2x3xi64>, tensor<1xi64>) -> tensor<6xi64>
  %1 = stablehlo.dynamic_reshape %0, %shape : (tensor<?x?xi64>, tensor<1xi64>) -> tensor<6xi64>
  return %0, %1 : tensor<?x?xi64>, tensor<6xi64>
}

//--- calls.mlir
// One clone for each set of shapes, and of integers that say sizes. Functions of sizes alone are
// worked out.
// CHECK-LABEL: func @main
// CHECK-SAME: -> (tensor<3xf32>, tensor<5xf32>, tensor<3xf32>, tensor<2xi64>, tensor<4xi64>)
// CHECK-NOT: call @quarter
// CHECK: call @twice(%arg0) : (tensor<3xf32>) -> tensor<3xf32>
// CHECK: call @[[SECOND:twice_.*]](%arg1) : (tensor<5xf32>) -> tensor<5xf32>
// CHECK: call @twice(
// CHECK: call @numbers(%{{.*}}) : (tensor<i64>) -> tensor<2xi64>
// CHECK: call @[[FOUR:numbers_.*]](%{{.*}}) : (tensor<i64>) -> tensor<4xi64>
// CHECK: func private @twice(%arg0: tensor<3xf32>) -> tensor<3xf32>
// CHECK: func private @[[SECOND]](%arg0: tensor<5xf32>) -> tensor<5xf32>
// CHECK: func private @numbers(%arg0: tensor<i64>) -> tensor<2xi64>
// CHECK: func private @[[FOUR]](%arg0: tensor<i64>) -> tensor<4xi64>
// CHECK-NOT: func
func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi64>, tensor<?xi64>) {
  %0 = call @twice(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %1 = call @twice(%y) : (tensor<?xf32>) -> tensor<?xf32>
  %2 = call @twice(%0) : (tensor<?xf32>) -> tensor<?xf32>
  %c4 = stablehlo.constant dense<4> : tensor<i64>
  %c8 = stablehlo.constant dense<8> : tensor<i64>
  %q2 = call @quarter(%c8) : (tensor<i64>) -> tensor<i64>
  %q1 = call @quarter(%c4) : (tensor<i64>) -> tensor<i64>
  %c2 = stablehlo.multiply %q1, %q2 : tensor<i64>
  %3 = call @numbers(%c2) : (tensor<i64>) -> tensor<?xi64>
  %4 = call @numbers(%c4) : (tensor<i64>) -> tensor<?xi64>
  return %0, %1, %2, %3, %4 : tensor<?xf32>, tensor<?xf32>, tensor<?xf32>, tensor<?xi64>, tensor<?xi64>
}
func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @quarter(%n: tensor<i64>) -> tensor<i64> {
  %0 = call @half(%n) : (tensor<i64>) -> tensor<i64>
  %1 = call @half(%0) : (tensor<i64>) -> tensor<i64>
  return %1 : tensor<i64>
}
func.func private @half(%n: tensor<i64>) -> tensor<i64> {
  %c2 = stablehlo.constant dense<2> : tensor<i64>
  %0 = stablehlo.divide %n, %c2 : tensor<i64>
  return %0 : tensor<i64>
}
func.func private @numbers(%n: tensor<i64>) -> tensor<?xi64> {
  %0 = stablehlo.reshape %n : (tensor<i64>) -> tensor<1xi64>
  %1 = stablehlo.dynamic_iota %0, dim = 0 : (tensor<1xi64>) -> tensor<?xi64>
  return %1 : tensor<?xi64>
}

//--- regions.mlir
// A loop keeps the shapes that come in; what it passes on as it is may say sizes inside.
// CHECK-LABEL: func @main
// CHECK: stablehlo.while(%{{.*}} = %arg0, %{{.*}} = %{{.*}}, %[[N:.*]] = %{{.*}}) : tensor<3xf32>, tensor<i32>, tensor<i32>
// CHECK: stablehlo.iota dim = 0 : tensor<3xf32>
// CHECK: "stablehlo.if"
// CHECK: }) : (tensor<i1>) -> tensor<3xf32>
func.func @main(%x: tensor<?xf32>, %p: tensor<i1>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %0:3 = stablehlo.while(%a = %x, %i = %zero, %m = %n) : tensor<?xf32>, tensor<i32>, tensor<i32>
  cond {
    %1 = stablehlo.compare LT, %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.dynamic_iota %1, dim = 0 : (tensor<1xi32>) -> tensor<?xf32>
    %3 = stablehlo.add %a, %2 : tensor<?xf32>
    %4 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %3, %4, %m : tensor<?xf32>, tensor<i32>, tensor<i32>
  }
  %5 = "stablehlo.if"(%p) ({
    %6 = stablehlo.negate %0#0 : tensor<?xf32>
    stablehlo.return %6 : tensor<?xf32>
  }, {
    stablehlo.return %x : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %5 : tensor<?xf32>
}

//--- branches.mlir
// Which branch runs, sizes decide: the other one need not make sense, nor have the same shape.
// CHECK-LABEL: func @main
// SMALL-SAME: -> tensor<3xf32>
// SMALL: stablehlo.negate
// LARGE-SAME: -> tensor<4xf32>
// LARGE: stablehlo.slice %arg0 [2:6]
// CHECK-NOT: stablehlo.if
func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> {
  %four = stablehlo.constant dense<4> : tensor<i32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %small = stablehlo.compare LT, %n, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
  %0 = "stablehlo.if"(%small) ({
    %1 = stablehlo.negate %x : tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }, {
    %2 = stablehlo.slice %x [2:6] : (tensor<?xf32>) -> tensor<4xf32>
    %sizes = stablehlo.constant dense<4> : tensor<1xi32>
    %3 = stablehlo.dynamic_reshape %2, %sizes : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>
    stablehlo.return %3 : tensor<?xf32>
  }) : (tensor<i1>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

//--- custom.mlir
// What frontends write as custom calls. An assertion that holds is gone.
// CHECK-LABEL: func @main
// CHECK-NOT: shape_assertion
func.func @main(%x: tensor<?xf32>) -> (tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>) {
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %large = stablehlo.compare GT, %n, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
  stablehlo.custom_call @shape_assertion(%large, %n) {error_message = "at least 3, not {0}", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one1 = stablehlo.constant dense<1> : tensor<1xi32>
  %two1 = stablehlo.constant dense<2> : tensor<1xi32>
  %padding = stablehlo.constant dense<0> : tensor<1x2xi32>
  // CHECK: "stablehlo.reduce_window"(%arg0, %{{.*}}) <{base_dilations = array<i64: 1>, padding = dense<0> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  // CHECK-NEXT: ^bb0
  // CHECK-NEXT: stablehlo.add
  // CHECK: -> tensor<3xf32>
  %0 = stablehlo.custom_call @stablehlo.dynamic_reduce_window(%x, %zero, %two1, %two1, %one1, %one1, %padding) {called_computations = [@sum]} : (tensor<?xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1x2xi32>) -> tensor<?xf32>
  // CHECK: chlo.top_k(%arg0, k = 2) : tensor<6xf32> -> (tensor<2xf32>, tensor<2xi32>)
  %1:2 = stablehlo.custom_call @stablehlo.dynamic_top_k(%x, %two) : (tensor<?xf32>, tensor<i32>) -> (tensor<?xf32>, tensor<?xi32>)
  // CHECK: stablehlo.custom_call @solve(%arg0) {operand_layouts = [dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<6xf32>) -> tensor<6xf32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %2 = stablehlo.custom_call @solve(%n1, %x) {indices_of_shape_operands = dense<0> : tensor<1xi64>, operand_layouts = [dense<0> : tensor<1xindex>, dense<0> : tensor<1xindex>], output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 1, operand_tuple_indices = []>], result_layouts = [dense<0> : tensor<1xindex>]} : (tensor<1xi32>, tensor<?xf32>) -> tensor<?xf32>
  return %0, %1#0, %1#1, %2 : tensor<?xf32>, tensor<?xf32>, tensor<?xi32>, tensor<?xf32>
}
func.func private @sum(%a: tensor<f32>, %b: tensor<f32>) -> tensor<f32> {
  %0 = stablehlo.add %a, %b : tensor<f32>
  return %0 : tensor<f32>
}

//--- chlo.mlir
// Composed functions: broadcasting, composites, and scans, whose bodies work on slices.
// CHECK-LABEL: func @main
// CHECK-SAME: -> (tensor<3x5xf32>, tensor<5xf32>, tensor<3x5xf32>, tensor<3xf32>)
func.func @main(%x: tensor<?x1xf32>, %y: tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>) {
  // CHECK: chlo.broadcast_add %arg0, %arg1 : (tensor<3x1xf32>, tensor<5xf32>) -> tensor<3x5xf32>
  %0 = chlo.broadcast_add %x, %y : (tensor<?x1xf32>, tensor<?xf32>) -> tensor<?x?xf32>
  // CHECK: stablehlo.composite "test.square" %arg1 {decomposition = @square} : (tensor<5xf32>) -> tensor<5xf32>
  %1 = stablehlo.composite "test.square" %y {decomposition = @square} : (tensor<?xf32>) -> tensor<?xf32>
  // CHECK: %[[INIT:.*]] = stablehlo.reshape %arg0 : (tensor<3x1xf32>) -> tensor<3xf32>
  %n = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x1xf32>) -> tensor<i32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %init = stablehlo.dynamic_reshape %x, %n1 : (tensor<?x1xf32>, tensor<1xi32>) -> tensor<?xf32>
  // CHECK: chlo.scan(%{{.*}}) inits (%[[INIT]]) dimension=1 {
  // CHECK-NEXT: ^bb0(%[[A:.*]]: tensor<3xf32>, %[[B:.*]]: tensor<3xf32>):
  // CHECK-NEXT: stablehlo.add %[[A]], %[[B]] : tensor<3xf32>
  // CHECK: } : (tensor<3x5xf32>, tensor<3xf32>) -> (tensor<3x5xf32>, tensor<3xf32>)
  %2:2 = chlo.scan(%0) inits (%init) dimension=1 {
  ^bb0(%a: tensor<?xf32>, %b: tensor<?xf32>):
    %sum = stablehlo.add %a, %b : tensor<?xf32>
    stablehlo.return %sum, %sum : tensor<?xf32>, tensor<?xf32>
  } : (tensor<?x?xf32>, tensor<?xf32>) -> (tensor<?x?xf32>, tensor<?xf32>)
  return %0, %1, %2#0, %2#1 : tensor<?x?xf32>, tensor<?xf32>, tensor<?x?xf32>, tensor<?xf32>
}
func.func private @square(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = chlo.square %x : tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

//--- bounds.mlir
// Bounds are gone with the dynamic dims. A size that is set cuts.
// CHECK-LABEL: func @main(%arg0: tensor<3x4xf32>) -> (tensor<3x4xf32>, tensor<2x4xf32>, tensor<12xf32>)
func.func @main(%x: tensor<?x4xf32, #stablehlo.bounds<5, ?>>) -> (tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<?xf32, #stablehlo.bounds<20>>) {
  // CHECK: stablehlo.negate %arg0 : tensor<3x4xf32>
  %0 = stablehlo.negate %x : tensor<?x4xf32, #stablehlo.bounds<5, ?>>
  %two = stablehlo.constant dense<2> : tensor<i32>
  // CHECK: stablehlo.slice %arg0 [0:2, 0:4] : (tensor<3x4xf32>) -> tensor<2x4xf32>
  %1 = stablehlo.set_dimension_size %x, %two, dim = 0 : (tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<i32>) -> tensor<?x4xf32, #stablehlo.bounds<5, ?>>
  // CHECK: stablehlo.reshape %arg0 : (tensor<3x4xf32>) -> tensor<12xf32>
  %2 = stablehlo.reshape %x : (tensor<?x4xf32, #stablehlo.bounds<5, ?>>) -> tensor<?xf32, #stablehlo.bounds<20>>
  return %0, %1, %2 : tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<?x4xf32, #stablehlo.bounds<5, ?>>, tensor<?xf32, #stablehlo.bounds<20>>
}

// RUN: spmd-opt %s --spmd-functionalize --verify-diagnostics --split-input-file
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false --verify-diagnostics --split-input-file

// expected-note @below {{the buffer is made here}}
func.func @store_in_region(%b: !spmd.buffer<tensor<f32>>, %x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.add %l, %r : tensor<f32>
    // expected-error @below {{'spmd.store' op writes a buffer from inside 'stablehlo.reduce'; only branches and bodies of loops may}}
    spmd.store %1, %b : !spmd.buffer<tensor<f32>>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

// -----

func.func @buffer_returned(%b: !spmd.buffer<tensor<4xf32>>) -> !spmd.buffer<tensor<4xf32>> {
  // expected-error @below {{'func.return' op returns a buffer as operand 0; return what it holds}}
  return %b : !spmd.buffer<tensor<4xf32>>
}

// -----

func.func private @elsewhere(!spmd.buffer<tensor<4xf32>>)
func.func @buffer_to_external_function(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-error @below {{'func.call' op passes a buffer as operand 0 to @elsewhere, which has no body}}
  func.call @elsewhere(%b) : (!spmd.buffer<tensor<4xf32>>) -> ()
  return
}

// -----

// expected-note @below {{arguments of a function are different memory}}
func.func private @copy(%from: !spmd.buffer<tensor<2xf32>>, %to: !spmd.buffer<tensor<2xf32>>) {
  %0 = spmd.load %from : !spmd.buffer<tensor<2xf32>>
  spmd.store %0, %to : !spmd.buffer<tensor<2xf32>>
  return
}
func.func @buffer_passed_twice(%b: !spmd.buffer<tensor<4xf32>>) {
  %v = spmd.slice_view %b [0:2] : (!spmd.buffer<tensor<4xf32>>) -> !spmd.buffer<tensor<2xf32>>
  %w = spmd.slice_view %b [1:3] : (!spmd.buffer<tensor<4xf32>>) -> !spmd.buffer<tensor<2xf32>>
  // expected-error @below {{'func.call' op passes one buffer as operands 0 and 1, and @copy writes it}}
  func.call @copy(%v, %w) : (!spmd.buffer<tensor<2xf32>>, !spmd.buffer<tensor<2xf32>>) -> ()
  return
}

// -----

// expected-note @below {{arguments of a function are different memory}}
func.func private @clear(%a: !spmd.buffer<tensor<2xf32>>, %b: !spmd.buffer<tensor<2xf32>>, %c: !spmd.buffer<tensor<2xf32>>) {
  %0 = spmd.load %a : !spmd.buffer<tensor<2xf32>>
  spmd.store %0, %c : !spmd.buffer<tensor<2xf32>>
  return
}
func.func @second_part_passed_again(%b: !spmd.buffer<tensor<6xf32>>) {
  %v = spmd.slice_view %b [0:2] : (!spmd.buffer<tensor<6xf32>>) -> !spmd.buffer<tensor<2xf32>>
  %w = spmd.slice_view %b [2:6:2] : (!spmd.buffer<tensor<6xf32>>) -> !spmd.buffer<tensor<2xf32>>
  %x = spmd.slice_view %b [4:6] : (!spmd.buffer<tensor<6xf32>>) -> !spmd.buffer<tensor<2xf32>>
  // expected-error @below {{'func.call' op passes one buffer as operands 1 and 2, and @clear writes it}}
  func.call @clear(%v, %w, %x) : (!spmd.buffer<tensor<2xf32>>, !spmd.buffer<tensor<2xf32>>, !spmd.buffer<tensor<2xf32>>) -> ()
  return
}

// -----

func.func @buffer_to_unknown_op(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op takes a buffer as operand 0; only loads, stores, views and calls do}}
  %0 = builtin.unrealized_conversion_cast %b : !spmd.buffer<tensor<4xf32>> to tensor<4xf32>
  // expected-error @below {{'builtin.unrealized_conversion_cast' op gives a buffer as result 0; only 'spmd.alloc' and views do}}
  %1 = builtin.unrealized_conversion_cast %0 : tensor<4xf32> to !spmd.buffer<tensor<4xf32>>
  return
}

// -----

// expected-note @below {{the buffer is made here}}
func.func @store_in_condition(%b: !spmd.buffer<tensor<i1>>, %p: tensor<i1>) -> tensor<i1> {
  %0 = stablehlo.while(%i = %p) : tensor<i1>
   cond {
    // expected-error @below {{'spmd.store' op writes a buffer from inside 'stablehlo.while'; only branches and bodies of loops may}}
    spmd.store %i, %b : !spmd.buffer<tensor<i1>>
    stablehlo.return %i : tensor<i1>
  } do {
    stablehlo.return %i : tensor<i1>
  }
  return %0 : tensor<i1>
}

// -----

func.func @store_to_repeated(%b: !spmd.buffer<tensor<4xf32>>, %t: tensor<2x3xf32>) {
  // expected-note @below {{the view is made here}}
  %v = spmd.broadcast_view %b, dims = [1] : (!spmd.buffer<tensor<4xf32>>) -> !spmd.buffer<tensor<3x4xf32>>
  %w = spmd.slice_view %v [0:3, 1:3] : (!spmd.buffer<tensor<3x4xf32>>) -> !spmd.buffer<tensor<3x2xf32>>
  %x = spmd.transpose_view %w, dims = [1, 0] : (!spmd.buffer<tensor<3x2xf32>>) -> !spmd.buffer<tensor<2x3xf32>>
  // expected-error @below {{'spmd.store' op writes through a view that shows elements more than once; store to what it is a view of}}
  spmd.store %t, %x : !spmd.buffer<tensor<2x3xf32>>
  return
}

// -----

func.func @overlapping_arguments(
    // expected-note @below {{the other is here}}
    %a: !spmd.buffer<tensor<3xf32>> {spmd.memory = {name = "m", shape = array<i64: 10>,
        start_indices = array<i64: 1>, limit_indices = array<i64: 8>, strides = array<i64: 3>}},
    // expected-error @below {{argument 0 of @overlapping_arguments and argument 1 of @overlapping_arguments lie in memory "m", have elements in common, and both are written; write one, and what the other shows as a view of it}}
    %b: !spmd.buffer<tensor<5xf32>> {spmd.memory = {name = "m", shape = array<i64: 10>,
        start_indices = array<i64: 0>, limit_indices = array<i64: 10>, strides = array<i64: 2>}},
    %t: tensor<3xf32>, %u: tensor<5xf32>) {
  spmd.store %t, %a : !spmd.buffer<tensor<3xf32>>
  spmd.store %u, %b : !spmd.buffer<tensor<5xf32>>
  return
}

// -----

func.func @memory_of_two_shapes(
    // expected-note @below {{the other is here}}
    %a: !spmd.buffer<tensor<8xf32>> {spmd.memory = {name = "m", shape = array<i64: 8>,
        start_indices = array<i64: 0>, limit_indices = array<i64: 8>, strides = array<i64: 1>}},
    // expected-error @below {{argument 0 of @memory_of_two_shapes and argument 1 of @memory_of_two_shapes lie in memory "m", of shape [8] for one and [2, 4] for the other}}
    %b: !spmd.buffer<tensor<8xf32>> {spmd.memory = {name = "m", shape = array<i64: 2, 4>,
        start_indices = array<i64: 0, 0>, limit_indices = array<i64: 2, 4>, strides = array<i64: 1, 1>}}) {
  return
}

// -----

func.func @memory_of_two_types(
    // expected-note @below {{the other is here}}
    %a: !spmd.buffer<tensor<8xf32>> {spmd.memory = {name = "m", shape = array<i64: 8>,
        start_indices = array<i64: 0>, limit_indices = array<i64: 8>, strides = array<i64: 1>}},
    // expected-error @below {{argument 0 of @memory_of_two_types and argument 1 of @memory_of_two_types lie in memory "m", with elements of 'f32' and of 'i32'}}
    %b: !spmd.buffer<tensor<8xi32>> {spmd.memory = {name = "m", shape = array<i64: 8>,
        start_indices = array<i64: 0>, limit_indices = array<i64: 8>, strides = array<i64: 1>}}) {
  return
}

// -----

// Both indices may name one row.
// expected-note @below {{arguments of a function are different memory}}
func.func private @copy_row(%a: !spmd.buffer<tensor<1x4xf32>>, %b: !spmd.buffer<tensor<1x4xf32>>) {
  %0 = spmd.load %a : !spmd.buffer<tensor<1x4xf32>>
  spmd.store %0, %b : !spmd.buffer<tensor<1x4xf32>>
  return
}
func.func @rows_by_index(%b: !spmd.buffer<tensor<8x4xf32>>, %i: tensor<2xi32>) {
  %rows = spmd.index_view %b, %i, dim = 0 : (!spmd.buffer<tensor<8x4xf32>>, tensor<2xi32>) -> !spmd.buffer<tensor<2x4xf32>>
  %one = spmd.slice_view %rows [0:1, 0:4] : (!spmd.buffer<tensor<2x4xf32>>) -> !spmd.buffer<tensor<1x4xf32>>
  %two = spmd.slice_view %rows [1:2, 0:4] : (!spmd.buffer<tensor<2x4xf32>>) -> !spmd.buffer<tensor<1x4xf32>>
  // expected-error @below {{passes one buffer as operands 0 and 1, and @copy_row writes it}}
  call @copy_row(%one, %two) : (!spmd.buffer<tensor<1x4xf32>>, !spmd.buffer<tensor<1x4xf32>>) -> ()
  return
}

// -----

// A buffer stays in the region that makes it.
func.func @leaves_branch(%p: tensor<i1>) -> tensor<4xf32> {
  // expected-error @below {{'stablehlo.if' op result 0 has type '!spmd.buffer<tensor<4xf32>>', and memory stays where it is made; make it outside and store to it, or return what a load of it gives}}
  %r = "stablehlo.if"(%p) ({
    %b = spmd.alloc : !spmd.buffer<tensor<4xf32>>
    stablehlo.return %b : !spmd.buffer<tensor<4xf32>>
  }, {
    %b = spmd.alloc : !spmd.buffer<tensor<4xf32>>
    stablehlo.return %b : !spmd.buffer<tensor<4xf32>>
  }) : (tensor<i1>) -> !spmd.buffer<tensor<4xf32>>
  %l = spmd.load %r : !spmd.buffer<tensor<4xf32>>
  return %l : tensor<4xf32>
}

// -----

func.func @leaves_case(%i: tensor<i32>) {
  // expected-error @below {{'stablehlo.case' op result 0 has type '!spmd.buffer<tensor<4xf32>>', and memory stays where it is made; make it outside and store to it, or return what a load of it gives}}
  %r = "stablehlo.case"(%i) ({
    %b = spmd.alloc : !spmd.buffer<tensor<4xf32>>
    stablehlo.return %b : !spmd.buffer<tensor<4xf32>>
  }) : (tensor<i32>) -> !spmd.buffer<tensor<4xf32>>
  return
}

// -----

func.func @carried(%t: tensor<4xf32>, %p: tensor<i1>) {
  %b = spmd.alloc : !spmd.buffer<tensor<4xf32>>
  // expected-error @below {{'stablehlo.while' op operand 1 has type '!spmd.buffer<tensor<4xf32>>', and memory stays where it is made; load and store it where it is needed, or hand on what a load of it gives}}
  %r:2 = stablehlo.while(%i = %p, %c = %b) : tensor<i1>, !spmd.buffer<tensor<4xf32>>
  cond {
    stablehlo.return %i : tensor<i1>
  } do {
    %n = spmd.alloc : !spmd.buffer<tensor<4xf32>>
    spmd.store %t, %n : !spmd.buffer<tensor<4xf32>>
    stablehlo.return %i, %n : tensor<i1>, !spmd.buffer<tensor<4xf32>>
  }
  return
}

// -----

func.func @behind_barrier(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-error @below {{'stablehlo.optimization_barrier' op operand 0 has type '!spmd.buffer<tensor<4xf32>>', and memory stays where it is made; load and store it where it is needed, or hand on what a load of it gives}}
  %o = stablehlo.optimization_barrier %b : !spmd.buffer<tensor<4xf32>>
  return
}

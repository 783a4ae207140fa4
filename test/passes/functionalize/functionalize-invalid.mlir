// RUN: spmd-opt %s --spmd-functionalize --verify-diagnostics --split-input-file
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false --verify-diagnostics --split-input-file

// expected-note @below {{the buffer is made here}}
func.func @store_in_region(%b: !spmd.buffer<tensor<f32>>, %x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    %1 = stablehlo.add %l, %r : tensor<f32>
    // expected-error @below {{'spmd.store' op writes a buffer from inside 'stablehlo.reduce'; only what runs once in its block may}}
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

func.func @buffer_to_unknown_op(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-error @below {{'builtin.unrealized_conversion_cast' op takes a buffer as operand 0; only loads, stores, views and calls do}}
  %0 = builtin.unrealized_conversion_cast %b : !spmd.buffer<tensor<4xf32>> to tensor<4xf32>
  // expected-error @below {{'builtin.unrealized_conversion_cast' op gives a buffer as result 0; only 'spmd.alloc' and views do}}
  %1 = builtin.unrealized_conversion_cast %0 : tensor<4xf32> to !spmd.buffer<tensor<4xf32>>
  return
}

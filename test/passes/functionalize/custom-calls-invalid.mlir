// RUN: spmd-opt %s --spmd-functionalize --verify-diagnostics --split-input-file
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false --verify-diagnostics --split-input-file

func.func @says_nothing(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-error @below {{'stablehlo.custom_call' op takes a buffer as operand 0 and does not say whether it writes it; list the operands that it writes in 'spmd.writes'}}
  stablehlo.custom_call @scale(%b) : (!spmd.buffer<tensor<4xf32>>) -> ()
  return
}

// -----

func.func @writes_tensor(%t: tensor<4xf32>) {
  // expected-error @below {{'stablehlo.custom_call' op attribute 'spmd.writes' names operand 0 of type 'tensor<4xf32>'; only a buffer can be written}}
  stablehlo.custom_call @scale(%t) {spmd.writes = array<i64: 0>} : (tensor<4xf32>) -> ()
  return
}

// -----

func.func @writes_what_is_not_there(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-error @below {{'stablehlo.custom_call' op attribute 'spmd.writes' has 1 after 0; it lists operands in ascending order, and there are 1}}
  stablehlo.custom_call @scale(%b) {spmd.writes = array<i64: 0, 1>} : (!spmd.buffer<tensor<4xf32>>) -> ()
  return
}

// -----

func.func @writes_no_list(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-error @below {{'stablehlo.custom_call' op attribute 'spmd.writes' is no list of operands}}
  stablehlo.custom_call @scale(%b) {spmd.writes = 0} : (!spmd.buffer<tensor<4xf32>>) -> ()
  return
}

// -----

// expected-note @below {{the buffer is made here}}
func.func @passed_twice(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-error @below {{'stablehlo.custom_call' op passes one buffer as operands 0 and 1, and the call writes it}}
  stablehlo.custom_call @copy(%b, %b) {spmd.writes = array<i64: 1>} : (!spmd.buffer<tensor<4xf32>>, !spmd.buffer<tensor<4xf32>>) -> ()
  return
}

// -----

func.func @gives_buffer(%t: tensor<4xf32>) {
  // expected-error @below {{'stablehlo.custom_call' op gives a buffer as result 0; only 'spmd.alloc' and views do}}
  %0 = stablehlo.custom_call @make(%t) : (tensor<4xf32>) -> !spmd.buffer<tensor<4xf32>>
  return
}

// -----

func.func @repeated(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-note @below {{the view is made here}}
  %v = spmd.broadcast_view %b, dims = [1] : (!spmd.buffer<tensor<4xf32>>) -> !spmd.buffer<tensor<3x4xf32>>
  // expected-error @below {{'stablehlo.custom_call' op writes through a view that shows elements more than once; store to what it is a view of}}
  stablehlo.custom_call @scale(%v) {spmd.writes = array<i64: 0>} : (!spmd.buffer<tensor<3x4xf32>>) -> ()
  return
}

// -----

// expected-note @below {{the buffer is made here}}
func.func @in_reducer(%b: !spmd.buffer<tensor<f32>>, %x: tensor<4xf32>, %i: tensor<f32>) -> tensor<f32> {
  %0 = "stablehlo.reduce"(%x, %i) <{dimensions = array<i64: 0>}> ({
  ^bb0(%l: tensor<f32>, %r: tensor<f32>):
    // expected-error @below {{'stablehlo.custom_call' op passes on a buffer from inside 'stablehlo.reduce'; only branches and bodies of loops may}}
    stablehlo.custom_call @scale(%b) {spmd.writes = array<i64: 0>} : (!spmd.buffer<tensor<f32>>) -> ()
    stablehlo.return %r : tensor<f32>
  }) : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}

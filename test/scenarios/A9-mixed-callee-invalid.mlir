// RUN: spmd-opt %s --spmd-pipeline --split-input-file --verify-diagnostics
// Functional code that calls mutable code with tensors, or the other way round, is told so.

func.func private @mutable(%b: !spmd.buffer<tensor<4xf32>>) {
  return
}
func.func @main(%t: tensor<4xf32>) {
  // expected-error @below {{'func.call' op operand type mismatch: expected operand type '!spmd.buffer<tensor<4xf32>>', but provided 'tensor<4xf32>' for operand number 0}}
  func.call @mutable(%t) : (tensor<4xf32>) -> ()
  return
}

// -----

func.func private @functional(%t: tensor<4xf32>) {
  return
}
func.func @main(%b: !spmd.buffer<tensor<4xf32>>) {
  // expected-error @below {{'func.call' op operand type mismatch: expected operand type 'tensor<4xf32>', but provided '!spmd.buffer<tensor<4xf32>>' for operand number 0}}
  func.call @functional(%b) : (!spmd.buffer<tensor<4xf32>>) -> ()
  return
}

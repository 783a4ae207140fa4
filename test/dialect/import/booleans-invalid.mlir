// RUN: spmd-opt %s --verify-diagnostics --split-input-file

func.func @neither_form() {
  // expected-error @below {{elements hex data size is invalid for provided type: 'tensor<9xi1>'}}
  %0 = stablehlo.constant dense<"0x01000100"> : tensor<9xi1>
  return
}

// -----

func.func @no_boolean() {
  // expected-error @below {{elements hex data size is invalid for provided type: 'tensor<9xi1>'}}
  %0 = stablehlo.constant dense<"0x010001000200010001"> : tensor<9xi1>
  return
}

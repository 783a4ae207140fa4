// RUN: spmd-opt %s --spmd-refine-shapes --verify-diagnostics --allow-unregistered-dialect

func.func @main() -> tensor<?xf32> {
  %0 = stablehlo.custom_call @any() : () -> tensor<?xf32>
  // expected-error @below {{'test.end' op ends a function; expected 'func.return'}}
  "test.end"(%0) : (tensor<?xf32>) -> ()
}

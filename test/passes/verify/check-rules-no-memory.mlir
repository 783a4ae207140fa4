// UNSUPPORTED: sanitizers
// RUN: spmd-opt %s --spmd-check-rules --verify-diagnostics -o %t

func.func private @sum(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %y : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func @takes_too_much(%x: tensor<6xf32>) {
  // What takes more memory than there is is not false.
  // expected-warning @below {{op rule is not checked: 'pad' at}}
  %0 = stablehlo.custom_call @f(%x, %x) {spmd.reference = @sum, spmd.rule = {dims = "([i], [i])->([i])", along = [{factor = "i", ways = ["halo"], low = 50000000000000 : i64}]}} : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return
}

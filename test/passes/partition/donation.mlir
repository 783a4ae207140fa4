// RUN: spmd-opt %s --spmd-pipeline --verify-diagnostics | FileCheck %s
// A donation stays where one device's parts have one type, and is dropped with a warning where not.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func public @main
// CHECK-SAME: %arg0: tensor<2x6xf32>
// CHECK-SAME: tf.aliasing_output = 0 : i32
// CHECK-SAME: %arg1: tensor<2x6xf32>
// CHECK-NOT: tf.aliasing_output
// CHECK-SAME: -> (tensor<2x6xf32>
func.func public @main(
    %a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 0 : i32},
    // expected-warning @below {{argument 1 of @main is donated to result 1, but one device's part is 'tensor<2x6xf32>' of one and 'tensor<4x3xf32>' of the other; the donation is dropped}}
    %b: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, tf.aliasing_output = 1 : i32})
    -> (tensor<4x6xf32>, tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) {
  %0 = stablehlo.negate %a : tensor<4x6xf32>
  %1 = stablehlo.negate %b : tensor<4x6xf32>
  // expected-note @below {{result 1 is returned here and lies as [{}, {"y"}], the argument as [{"x"}, {}]; the memory is reused where both lie alike}}
  return %0, %1 : tensor<4x6xf32>, tensor<4x6xf32>
}

// RUN: spmd-run %s | FileCheck %s
// CHECK: equal: yes

// Bodies cast the bits of floats to integers and back, as XLA's sorts of floats do.
sdy.mesh @mesh = <["x"=4]>
func.func @main(%a: tensor<8x6xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<8x6xbf16>, tensor<8xf32>) {
  %sorted = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<bf16>, %q: tensor<bf16>):
    %bits_p = stablehlo.bitcast_convert %p : (tensor<bf16>) -> tensor<i16>
    %bits_q = stablehlo.bitcast_convert %q : (tensor<bf16>) -> tensor<i16>
    %less = stablehlo.compare LT, %bits_p, %bits_q, SIGNED : (tensor<i16>, tensor<i16>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<8x6xbf16>) -> tensor<8x6xbf16>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %or = stablehlo.reduce(%b init: %zero) across dimensions = [1] : (tensor<8x6xf32>, tensor<f32>) -> tensor<8xf32>
    reducer(%p: tensor<f32>, %q: tensor<f32>) {
      %bits_p = stablehlo.bitcast_convert %p : (tensor<f32>) -> tensor<i32>
      %bits_q = stablehlo.bitcast_convert %q : (tensor<f32>) -> tensor<i32>
      %both = stablehlo.maximum %bits_p, %bits_q : tensor<i32>
      %number = stablehlo.bitcast_convert %both : (tensor<i32>) -> tensor<f32>
      stablehlo.return %number : tensor<f32>
    }
  return %sorted, %or : tensor<8x6xbf16>, tensor<8xf32>
}

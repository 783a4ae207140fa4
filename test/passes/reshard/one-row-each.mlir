// RUN: spmd-opt %s --spmd-propagate --spmd-reshard --spmd-partition | FileCheck %s

// A device that has one row of those that are added up passes it on as its share: that is no work. So the sum is scattered, which sends
// as much as moving the rows' features in front of it, and leaves an eighth.
// CHECK-LABEL: func.func @main
// CHECK-NOT: all_to_all
// CHECK: reduce_scatter
// CHECK-NOT: all_to_all
sdy.mesh @m = <["x"=8]>
func.func @main(%rows: tensor<8x16x64xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}, {}]>})
    -> (tensor<16x64xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"x"}]>}) {
  %a = stablehlo.tanh %rows : tensor<8x16x64xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0]
      : (tensor<8x16x64xf32>, tensor<f32>) -> tensor<16x64xf32>
  return %sum : tensor<16x64xf32>
}

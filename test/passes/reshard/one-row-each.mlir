// RUN: spmd-opt %s --spmd-propagate --spmd-reshard --spmd-partition | FileCheck %s

// Each device has one of the rows that are added up. That row is its share of the sum, without any work. So the sum is scattered,
// which leaves an eighth of the rows in memory. Exchanging columns first would send as many bytes, and leave all of them.
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

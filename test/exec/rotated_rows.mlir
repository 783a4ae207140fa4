// Rows that go round are slices that are joined, where they run on one device and where their dim is whole.
// RUN: spmd-run %s | FileCheck %s
// CHECK: collective_permute
// CHECK: equal: {{ *}}yes
sdy.mesh @mesh = <["x"=4]>
func.func @main(%split: tensor<10x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %stored: tensor<8x!quant.uniform<i8:f32, 0.5>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                %whole: tensor<6x5xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<10x3xf32>, tensor<10x3xf32>, tensor<8x!quant.uniform<i8:f32, 0.5>>, tensor<6x5xcomplex<f32>>) {
  %0 = spmd.rotate %split by 3 along 0 : tensor<10x3xf32>
  %1 = spmd.rotate %split by 2 along 1 : tensor<10x3xf32>
  %2 = spmd.rotate %stored by 3 along 0 : tensor<8x!quant.uniform<i8:f32, 0.5>>
  %3 = spmd.rotate %whole by 4 along 1 : tensor<6x5xcomplex<f32>>
  return %0, %1, %2, %3 : tensor<10x3xf32>, tensor<10x3xf32>, tensor<8x!quant.uniform<i8:f32, 0.5>>, tensor<6x5xcomplex<f32>>
}

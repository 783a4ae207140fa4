// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --implicit-check-not=all_reduce --implicit-check-not=reduce_scatter

sdy.mesh @mesh = <["x"=3]>

// Sums of quantized numbers saturate, so shares of a sum must not be added later. Each device reduces whole columns: the
// axis moves off the reduced dim. Padding is the zero point.
// CHECK-LABEL: func @sums_stay_whole
// CHECK-SAME: tensor<2x4x!quant.uniform<i8:f32, 5.000000e-01:17>>
func.func @sums_stay_whole(%x: tensor<5x4x!quant.uniform<i8:f32, 0.5:17>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %zero: tensor<!quant.uniform<i8:f32, 0.5:17>>) -> (tensor<5x!quant.uniform<i8:f32, 0.5:17>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<4x!quant.uniform<i8:f32, 0.5:17>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [1] : (tensor<2x4x
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<5x4x!quant.uniform<i8:f32, 0.5:17>>, tensor<!quant.uniform<i8:f32, 0.5:17>>) -> tensor<5x!quant.uniform<i8:f32, 0.5:17>>
  // CHECK: %[[ZERO:.*]] = stablehlo.constant() <{value = dense<17> : tensor<i8>}> : () -> tensor<!quant.uniform<i8:f32, 5.000000e-01:17>>
  // CHECK: stablehlo.pad %{{.*}}, %[[ZERO]]
  // CHECK: stablehlo.reduce({{.*}}) applies stablehlo.add across dimensions = [0] : (tensor<5x2x
  %1 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<5x4x!quant.uniform<i8:f32, 0.5:17>>, tensor<!quant.uniform<i8:f32, 0.5:17>>) -> tensor<4x!quant.uniform<i8:f32, 0.5:17>>
  return %0, %1 : tensor<5x!quant.uniform<i8:f32, 0.5:17>>, tensor<4x!quant.uniform<i8:f32, 0.5:17>>
}

// Weights with one scale for each column stay replicated; the batch is sharded.
// CHECK-LABEL: func @weights_with_scales
func.func @weights_with_scales(%x: tensor<6x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %w: tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) -> tensor<6x3xf32> {
  // CHECK: stablehlo.dot_general {{.*}} : (tensor<2x2xf32>, tensor<2x3x!quant{{.*}}>) -> tensor<2x3xf32>
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<6x2xf32>, tensor<2x3x!quant.uniform<i8:f32:1, {0.1, 0.2, 0.3}>>) -> tensor<6x3xf32>
  return %0 : tensor<6x3xf32>
}

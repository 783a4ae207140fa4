// RUN: spmd-opt %s --spmd-explain='value=%joined' | FileCheck %s

sdy.mesh @mesh = <["x"=4, "y"=3, "z"=2]>

// A part of "x" stopped nearest, and "y" farther off. The annotation that both come from has "y" in front: with the part
// alone, the dim would come out with "y" before it.
// CHECK: dim 1 (size 8) is not split:
// CHECK: to split it, write: %split = sdy.sharding_constraint %joined <@mesh, [{?}, {"y", "x":(2)2}, {"z", ?}, {?}]>
func.func public @main(%a: tensor<8x2x2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"z"}, {"y", ?}, {"x"}]>}, %s: tensor<f32>, %b: tensor<4x8x2x2xf32>)
    -> (tensor<1x8x8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x":(1)2, ?}, {"y", "x":(2)2, ?}, {}], unreduced=max{"z"}>}) {
  %0 = stablehlo.uniform_quantize %a : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x!quant.uniform<u8:f32, 1.0:2>>
  %1 = stablehlo.uniform_quantize %a : (tensor<8x2x2x8xf32>) -> tensor<8x2x2x8x!quant.uniform<u8:f32, 1.0:2>>
  %2 = stablehlo.multiply %0, %1 : tensor<8x2x2x8x!quant.uniform<u8:f32, 1.0:2>>
  %3 = stablehlo.transpose %2, dims = [3, 0, 1, 2] : (tensor<8x2x2x8x!quant.uniform<u8:f32, 1.0:2>>) -> tensor<8x8x2x2x!quant.uniform<u8:f32, 1.0:2>>
  %4 = stablehlo.uniform_dequantize %3 : (tensor<8x8x2x2x!quant.uniform<u8:f32, 1.0:2>>) -> tensor<8x8x2x2xf32>
  %half = stablehlo.slice %4 [4:8, 0:8, 0:2, 0:2] : (tensor<8x8x2x2xf32>) -> tensor<4x8x2x2xf32>
  %joined = stablehlo.concatenate %half, %b, dim = 0 : (tensor<4x8x2x2xf32>, tensor<4x8x2x2xf32>) -> tensor<8x8x2x2xf32>
  %5 = "stablehlo.map"(%joined, %joined) <{dimensions = array<i64: 0, 1, 2, 3>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8x8x2x2xf32>, tensor<8x8x2x2xf32>) -> tensor<8x8x2x2xf32>
  %6 = stablehlo.reshape %5 : (tensor<8x8x2x2xf32>) -> tensor<1x8x8x4xf32>
  return %6 : tensor<1x8x8x4xf32>
}

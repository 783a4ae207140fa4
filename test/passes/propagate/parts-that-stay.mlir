// RUN: spmd-opt %s --spmd-propagate=on-missing=replicate | FileCheck %s

// Of parts of two axes that came by turns, those of one lose what asked for them: those of the other are one axis then.
// CHECK-LABEL: func.func @main(
// CHECK-SAME: tensor<2xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}]>, spmd.inferred}
sdy.mesh @mesh = <["x"=4, "y"=4]>
sdy.mesh @other = <["u"=4, "v"=4]>
func.func @main(%arg0: tensor<8xf64> {sdy.sharding = #sdy.sharding<@other, [{"u":(1)2, "v":(2)2}], replicated={"u":(2)2, "v":(1)2}>}, %arg1: tensor<0xf64>, %arg2: tensor<1xf64>, %arg3: tensor<1xf64>) -> (tensor<5xf64>, tensor<4xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2, "y":(2)2, "y":(1)2, ?}]>}, tensor<1xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, "y":(1)2, "x":(2)2, "y":(2)2}p2]>}, tensor<2xf64>) {
  %0 = stablehlo.concatenate %arg2, %arg0, %arg2, dim = 0 : (tensor<1xf64>, tensor<8xf64>, tensor<1xf64>) -> tensor<10xf64>
  %1 = stablehlo.slice %0 [1:10:2] : (tensor<10xf64>) -> tensor<5xf64>
  %2 = stablehlo.concatenate %arg2, %arg2, %arg2, dim = 0 : (tensor<1xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<3xf64>
  %3 = stablehlo.concatenate %arg3, %2, dim = 0 : (tensor<1xf64>, tensor<3xf64>) -> tensor<4xf64>
  %4 = stablehlo.concatenate %arg1, %arg3, %arg3, dim = 0 : (tensor<0xf64>, tensor<1xf64>, tensor<1xf64>) -> tensor<2xf64>
  %5 = stablehlo.slice %4 [1:2] : (tensor<2xf64>) -> tensor<1xf64>
  return %1, %3, %arg3, %4 : tensor<5xf64>, tensor<4xf64>, tensor<1xf64>, tensor<2xf64>
}

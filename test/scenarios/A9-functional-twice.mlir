// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize -o %t.twice
// RUN: spmd-opt %s --spmd-functionalize | diff - %t.twice
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize=functionalize=false | diff - %t.twice
// RUN: spmd-opt %s -o %t.read
// RUN: diff %t.read %t.twice
// RUN: spmd-run %s
// A program that is functional already is not wrapped again, in whichever mode and however often.

sdy.mesh @mesh = <["data"=1, "tp"=4]>

func.func @main(%x: tensor<8x10xf32>,
                %w1: tensor<32x10xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>, tf.aliasing_output = 1 : i32})
    -> (tensor<8x32xf32>, tensor<32x10xf32>) {
  %t = stablehlo.transpose %w1, dims = [1, 0] : (tensor<32x10xf32>) -> tensor<10x32xf32>
  %pinned = sdy.sharding_constraint %t <@mesh, [{}, {"tp"}]> : tensor<10x32xf32>
  %y = stablehlo.dot_general %x, %pinned, contracting_dims = [1] x [0] : (tensor<8x10xf32>, tensor<10x32xf32>) -> tensor<8x32xf32>
  %new = stablehlo.add %w1, %w1 : tensor<32x10xf32>
  return %y, %new : tensor<8x32xf32>, tensor<32x10xf32>
}

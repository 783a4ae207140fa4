// RUN: spmd-opt %s --spmd-propagate=on-missing=replicate --spmd-reshard | FileCheck %s
// RUN: spmd-run %s | FileCheck %s --check-prefix=RAN

// RAN: collectives none
// RAN: equal: {{ *}}yes

// What a table is made of counts once, however often it is read: ten ops make this one, though there are 96 ways from its
// result to the sine.
sdy.mesh @mesh = <["x"=4, "y"=2]>
// CHECK-LABEL: func.func public @main(
// CHECK-NOT: sdy.reshard
func.func public @main(%a: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %m: tensor<22x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<64x32xf32>, tensor<22x32xf32>) {
  %i = stablehlo.iota dim = 0 : tensor<64xf32>
  %rows = stablehlo.broadcast_in_dim %i, dims = [0] : (tensor<64xf32>) -> tensor<64x32xf32>
  %1 = stablehlo.sine %rows : tensor<64x32xf32>
  %2 = stablehlo.multiply %1, %1 : tensor<64x32xf32>
  %4 = stablehlo.multiply %2, %2 : tensor<64x32xf32>
  %8 = stablehlo.multiply %4, %4 : tensor<64x32xf32>
  %16 = stablehlo.multiply %8, %8 : tensor<64x32xf32>
  %32 = stablehlo.multiply %16, %16 : tensor<64x32xf32>
  %64 = stablehlo.multiply %32, %32 : tensor<64x32xf32>
  %table = stablehlo.add %64, %32 : tensor<64x32xf32>
  %sum = stablehlo.add %table, %a : tensor<64x32xf32>
  %product = stablehlo.dot_general %m, %table, contracting_dims = [1] x [0] : (tensor<22x64xf32>, tensor<64x32xf32>) -> tensor<22x32xf32>
  return %sum, %product : tensor<64x32xf32>, tensor<22x32xf32>
}

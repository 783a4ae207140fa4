// RUN: spmd-run %s
// RUN: sed 's/"x"=2/"x"=3/' %s | spmd-run -
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s

// A block whose branches stand side by side: both are added to what came in, and summed over devices in one go. A bias is
// no share.
sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @main
// CHECK-COUNT-1: stablehlo.all_reduce
// CHECK-NOT: stablehlo.all_reduce
func.func @main(%x: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %up: tensor<7x11xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %down: tensor<11x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %in: tensor<7x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %out: tensor<9x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %bias: tensor<7xf32>) -> tensor<5x7xf32> {
  %0 = stablehlo.dot_general %x, %up, contracting_dims = [1] x [0] : (tensor<5x7xf32>, tensor<7x11xf32>) -> tensor<5x11xf32>
  %1 = stablehlo.tanh %0 : tensor<5x11xf32>
  %2 = stablehlo.dot_general %1, %down, contracting_dims = [1] x [0] : (tensor<5x11xf32>, tensor<11x7xf32>) -> tensor<5x7xf32>
  %3 = stablehlo.add %x, %2 : tensor<5x7xf32>
  %4 = stablehlo.dot_general %x, %in, contracting_dims = [1] x [0] : (tensor<5x7xf32>, tensor<7x9xf32>) -> tensor<5x9xf32>
  %5 = stablehlo.logistic %4 : tensor<5x9xf32>
  %6 = stablehlo.dot_general %5, %out, contracting_dims = [1] x [0] : (tensor<5x9xf32>, tensor<9x7xf32>) -> tensor<5x7xf32>
  %7 = stablehlo.broadcast_in_dim %bias, dims = [1] : (tensor<7xf32>) -> tensor<5x7xf32>
  %8 = stablehlo.add %3, %7 : tensor<5x7xf32>
  %9 = stablehlo.add %8, %6 : tensor<5x7xf32>
  return %9 : tensor<5x7xf32>
}

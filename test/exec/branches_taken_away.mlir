// RUN: spmd-run %s
// RUN: sed 's/"x"=2/"x"=3/' %s | spmd-run -
// RUN: sed 's/"x"=2/"x"=5/' %s | spmd-run -
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s

// As branches_side_by_side, but one branch is halved and the other taken away: both are summed over devices in one go.
sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func.func @main
// CHECK: %[[SHARE:.+]] = stablehlo.subtract %{{.*}} : tensor<3x7xf32>
// CHECK: "stablehlo.all_reduce"(%[[SHARE]])
// CHECK-NOT: stablehlo.all_reduce
func.func @main(%x: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %up: tensor<7x11xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %down: tensor<11x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %in: tensor<7x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %out: tensor<9x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %half = stablehlo.constant dense<0.5> : tensor<5x7xf32>
  %0 = stablehlo.dot_general %x, %up, contracting_dims = [1] x [0] : (tensor<5x7xf32>, tensor<7x11xf32>) -> tensor<5x11xf32>
  %1 = stablehlo.tanh %0 : tensor<5x11xf32>
  %2 = stablehlo.dot_general %1, %down, contracting_dims = [1] x [0] : (tensor<5x11xf32>, tensor<11x7xf32>) -> tensor<5x7xf32>
  %3 = stablehlo.multiply %2, %half : tensor<5x7xf32>
  %4 = stablehlo.add %x, %3 : tensor<5x7xf32>
  %5 = stablehlo.dot_general %x, %in, contracting_dims = [1] x [0] : (tensor<5x7xf32>, tensor<7x9xf32>) -> tensor<5x9xf32>
  %6 = stablehlo.logistic %5 : tensor<5x9xf32>
  %7 = stablehlo.dot_general %6, %out, contracting_dims = [1] x [0] : (tensor<5x9xf32>, tensor<9x7xf32>) -> tensor<5x7xf32>
  %8 = stablehlo.subtract %4, %7 : tensor<5x7xf32>
  return %8 : tensor<5x7xf32>
}

// RUN: spmd-run %s
// RUN: sed 's/"x"=2/"x"=3/' %s | spmd-run -
// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s

// Shares of a product pass a sum of its columns, and an update of some rows, before they are added up: what the sum begins
// with, and what the rows were, counts once, and not on each device.
sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @main
// CHECK: stablehlo.reduce{{.*}}unreduced={"x"}
// CHECK: stablehlo.scatter
// CHECK: }) {{.*}}unreduced={"x"}
func.func @main(%a: tensor<7x11xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<11x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %rows: tensor<3xf32>, %at: tensor<7x1xi32>)
    -> (tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %five = stablehlo.constant dense<5.0> : tensor<f32>
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<7x11xf32>, tensor<11x5xf32>) -> tensor<7x5xf32>
  %1 = stablehlo.reduce(%0 init: %five) applies stablehlo.add across dimensions = [1] : (tensor<7x5xf32>, tensor<f32>) -> tensor<7xf32>
  %2 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<7x11xf32>, tensor<11x5xf32>) -> tensor<7x5xf32>
  %3 = stablehlo.slice %2 [0:7, 1:2] : (tensor<7x5xf32>) -> tensor<7x1xf32>
  %4 = stablehlo.reshape %3 : (tensor<7x1xf32>) -> tensor<7xf32>
  %5 = "stablehlo.scatter"(%rows, %at, %4) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %6 = stablehlo.add %x, %y : tensor<f32>
    stablehlo.return %6 : tensor<f32>
  }) : (tensor<3xf32>, tensor<7x1xi32>, tensor<7xf32>) -> tensor<3xf32>
  return %1, %5 : tensor<7xf32>, tensor<3xf32>
}

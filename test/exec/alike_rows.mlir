// RUN: sed 's/SIZE/8/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/SIZE/5/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/SIZE/3/' %s | spmd-run - | FileCheck %s

// Rows that are all alike need not come from a neighbour: a diagonal that is filled, as PyTorch writes it, and what lies
// beyond the edges of a window.
// CHECK: collectives {{ *}}none
// CHECK: equal: yes
sdy.mesh @mesh = <["x"=SIZE]>
func.func @main(%x: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %row: tensor<6xf32>)
    -> (tensor<8x8xf32>, tensor<16x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<11x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %true = stablehlo.constant dense<true> : tensor<8xi1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %0 = stablehlo.pad %true, %false, low = [0], high = [0], interior = [8] : (tensor<8xi1>, tensor<i1>) -> tensor<64xi1>
  %mask = stablehlo.reshape %0 : (tensor<64xi1>) -> tensor<8x8xi1>
  %three = stablehlo.constant dense<3.0> : tensor<8xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %1 = stablehlo.pad %three, %zero, low = [0], high = [0], interior = [8] : (tensor<8xf32>, tensor<f32>) -> tensor<64xf32>
  %values = stablehlo.reshape %1 : (tensor<64xf32>) -> tensor<8x8xf32>
  %filled = stablehlo.select %mask, %values, %x : tensor<8x8xi1>, tensor<8x8xf32>
  %two = stablehlo.constant dense<2.0> : tensor<f32>
  %rows = stablehlo.broadcast_in_dim %row, dims = [1] : (tensor<6xf32>) -> tensor<13x6xf32>
  %padded = stablehlo.pad %rows, %two, low = [2, 0], high = [1, 0], interior = [0, 0] : (tensor<13x6xf32>, tensor<f32>) -> tensor<16x6xf32>
  %fewer = stablehlo.pad %rows, %zero, low = [-3, 0], high = [1, 0], interior = [0, 0] : (tensor<13x6xf32>, tensor<f32>) -> tensor<11x6xf32>
  return %filled, %padded, %fewer : tensor<8x8xf32>, tensor<16x6xf32>, tensor<11x6xf32>
}

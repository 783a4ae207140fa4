// RUN: spmd-opt %s --spmd-compose-slices --split-input-file | FileCheck %s
// A batch that is cut unevenly, merged with its tokens, under sums that are about as large as what is merged: gradients of
// weights. Where these are kept in parts, each is scattered, and the dims stay apart.

sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func @kept
// CHECK: stablehlo.dot_general %arg0, %arg1, contracting_dims = [0, 1] x [0, 1] : (tensor<3x5x8xf32>, tensor<3x5x40xf32>) -> tensor<8x40xf32>
func.func @kept(%x: tensor<3x5x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %dy: tensor<3x5x40xf32>,
                %w: tensor<40x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %momentum: tensor<40x8xf32>) -> tensor<40x8xf32> {
  %0 = stablehlo.reshape %x : (tensor<3x5x8xf32>) -> tensor<15x8xf32>
  %1 = stablehlo.reshape %dy : (tensor<3x5x40xf32>) -> tensor<15x40xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] : (tensor<15x8xf32>, tensor<15x40xf32>) -> tensor<8x40xf32>
  %3 = stablehlo.transpose %2, dims = [1, 0] : (tensor<8x40xf32>) -> tensor<40x8xf32>
  %4 = stablehlo.optimization_barrier %3 : tensor<40x8xf32>
  %5 = stablehlo.add %momentum, %4 : tensor<40x8xf32>
  %6 = stablehlo.negate %w : tensor<40x8xf32>
  %7 = stablehlo.subtract %6, %5 : tensor<40x8xf32>
  return %7 : tensor<40x8xf32>
}

// The result says so.
// CHECK-LABEL: func @returned
// CHECK: stablehlo.dot_general %arg0, %arg1, contracting_dims = [0, 1] x [0, 1]
func.func @returned(%x: tensor<3x5x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %dy: tensor<3x5x40xf32>)
    -> (tensor<8x40xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = stablehlo.reshape %x : (tensor<3x5x8xf32>) -> tensor<15x8xf32>
  %1 = stablehlo.reshape %dy : (tensor<3x5x40xf32>) -> tensor<15x40xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] : (tensor<15x8xf32>, tensor<15x40xf32>) -> tensor<8x40xf32>
  return %2 : tensor<8x40xf32>
}

// So does a constraint.
// CHECK-LABEL: func @constrained
// CHECK: stablehlo.dot_general %arg0, %arg1, contracting_dims = [0, 1] x [0, 1]
func.func @constrained(%x: tensor<3x5x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %dy: tensor<3x5x40xf32>) -> tensor<8x40xf32> {
  %0 = stablehlo.reshape %x : (tensor<3x5x8xf32>) -> tensor<15x8xf32>
  %1 = stablehlo.reshape %dy : (tensor<3x5x40xf32>) -> tensor<15x40xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] : (tensor<15x8xf32>, tensor<15x40xf32>) -> tensor<8x40xf32>
  %3 = sdy.sharding_constraint %2 <@mesh, [{}, {"x"}]> : tensor<8x40xf32>
  return %3 : tensor<8x40xf32>
}

// What is held whole needs all of the sum on each device: twice as much is sent.
// CHECK-LABEL: func @whole
// CHECK: stablehlo.dot_general %{{.*}}, %{{.*}}, contracting_dims = [0] x [0] : (tensor<15x8xf32>, tensor<15x40xf32>) -> tensor<8x40xf32>
func.func @whole(%x: tensor<3x5x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %dy: tensor<3x5x40xf32>,
                 %w: tensor<8x40xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> tensor<8x40xf32> {
  %0 = stablehlo.reshape %x : (tensor<3x5x8xf32>) -> tensor<15x8xf32>
  %1 = stablehlo.reshape %dy : (tensor<3x5x40xf32>) -> tensor<15x40xf32>
  %2 = stablehlo.dot_general %0, %1, contracting_dims = [0] x [0] : (tensor<15x8xf32>, tensor<15x40xf32>) -> tensor<8x40xf32>
  %3 = stablehlo.subtract %w, %2 : tensor<8x40xf32>
  return %3 : tensor<8x40xf32>
}

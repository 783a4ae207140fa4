// RUN: sed 's/SIZE/8/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/SIZE/5/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/SIZE/3/' %s | spmd-run -

// A batch that the devices do not divide is merged with tokens for each product: rows of both would lie otherwise than the
// batch does, and each value in between would move. Kept apart, they stay, and gradients alone are added up.
// CHECK: collectives
// CHECK-NEXT: all_reduce {{ *}}1 {{ *}}12,288
// CHECK-NEXT: memory
// CHECK: equal: yes
sdy.mesh @mesh = <["x"=SIZE]>
func.func @main(%x: tensor<12x64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %w: tensor<32x48xf32>, %v: tensor<48x32xf32>,
                %dy: tensor<12x64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<12x64x32xf32>, tensor<32x48xf32>, tensor<48x32xf32>) {
  %rows = stablehlo.reshape %x : (tensor<12x64x32xf32>) -> tensor<768x32xf32>
  %0 = stablehlo.dot_general %rows, %w, contracting_dims = [1] x [0] : (tensor<768x32xf32>, tensor<32x48xf32>) -> tensor<768x48xf32>
  %1 = stablehlo.tanh %0 : tensor<768x48xf32>
  %2 = stablehlo.reshape %1 : (tensor<768x48xf32>) -> tensor<12x64x48xf32>
  %3 = stablehlo.logistic %2 : tensor<12x64x48xf32>
  %4 = stablehlo.reshape %3 : (tensor<12x64x48xf32>) -> tensor<768x48xf32>
  %5 = stablehlo.dot_general %4, %v, contracting_dims = [1] x [0] : (tensor<768x48xf32>, tensor<48x32xf32>) -> tensor<768x32xf32>
  %y = stablehlo.reshape %5 : (tensor<768x32xf32>) -> tensor<12x64x32xf32>
  %d = stablehlo.reshape %dy : (tensor<12x64x32xf32>) -> tensor<768x32xf32>
  %dv = stablehlo.dot_general %4, %d, contracting_dims = [0] x [0] : (tensor<768x48xf32>, tensor<768x32xf32>) -> tensor<48x32xf32>
  %6 = stablehlo.dot_general %d, %v, contracting_dims = [1] x [1] : (tensor<768x32xf32>, tensor<48x32xf32>) -> tensor<768x48xf32>
  %7 = stablehlo.multiply %6, %1 : tensor<768x48xf32>
  %dw = stablehlo.dot_general %rows, %7, contracting_dims = [0] x [0] : (tensor<768x32xf32>, tensor<768x48xf32>) -> tensor<32x48xf32>
  return %y, %dw, %dv : tensor<12x64x32xf32>, tensor<32x48xf32>, tensor<48x32xf32>
}

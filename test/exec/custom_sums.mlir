// RUN: spmd-opt %s --spmd-check-rules=remarks=true -o %t.mlir 2>&1 | FileCheck %s
// RUN: spmd-run %s
// RUN: sed 's/"x"=4/"x"=3/' %s > %t.three.mlir
// RUN: spmd-run %t.three.mlir
// RUN: sed 's/<\["x"=4\]>/<["y"=2, "x"=4]>/' %s > %t.two.mlir
// RUN: spmd-run %t.two.mlir
// RUN: sed 's/"x"=4/"x"=8/' %s > %t.eight.mlir
// RUN: spmd-run %t.eight.mlir

// Custom calls that sum along dims which the devices do not divide: no padding counts. A sum of exponentials, of which zeros
// would, is split evenly or not at all.
// CHECK: remark: 'stablehlo.custom_call' op rule holds on 17 placements
// CHECK: remark: 'stablehlo.custom_call' op rule holds on 27 placements
// CHECK: remark: 'stablehlo.custom_call' op rule holds on 15 placements

sdy.mesh @mesh = <["x"=4]>

func.func @main(%x: tensor<5x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %w: tensor<6x7xf32>)
    -> (tensor<5xf32>, tensor<5x7xf32>, tensor<5xf32>) {
  %0 = stablehlo.custom_call @total(%x) {spmd.reference = @total, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=5, j=6} reduction={j}, custom>} : (tensor<5x6xf32>) -> tensor<5xf32>
  %1 = stablehlo.custom_call @product(%x, %w) {spmd.reference = @product, spmd.rule = {dims = "([i, k], [k, j])->([i, j]) reduction={k}"}} : (tensor<5x6xf32>, tensor<6x7xf32>) -> tensor<5x7xf32>
  %2 = stablehlo.custom_call @total_exp(%x) {spmd.reference = @total_exp, spmd.rule = {dims = "([i, j])->([i]) reduction={j}", even = ["j"]}} : (tensor<5x6xf32>) -> tensor<5xf32>
  return %0, %1, %2 : tensor<5xf32>, tensor<5x7xf32>, tensor<5xf32>
}
func.func private @total(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @product(%x: tensor<?x?xf32>, %w: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}
func.func private @total_exp(%x: tensor<?x?xf32>) -> tensor<?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.exponential %x : tensor<?x?xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}

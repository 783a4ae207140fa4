// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %s --spmd-pipeline -o %t.mlir 2>&1 | FileCheck %s --allow-empty --check-prefix=NO-ERROR
// RUN: FileCheck %s --input-file=%t.mlir
// RUN: spmd-opt %s --spmd-refine-shapes | FileCheck %s --check-prefix=REFINED

// What @main does not reach is compiled as well, for others to call: its calls of references, and of what merges a ring, get
// the sizes of their arguments.
// EQUAL: equal: {{ *}}yes
// NO-ERROR-NOT: error
// CHECK-LABEL: func.func @unreached
// CHECK: call @greater{{.*}} : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
// REFINED-LABEL: func.func @of_static_arguments
// REFINED: call @twice{{.*}} : (tensor<5xf32>) -> tensor<5xf32>
// REFINED-LABEL: func.func private @twice
// REFINED: stablehlo.add {{.*}} : tensor<5xf32>
sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<5x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<5x3xf32> {
  %0 = stablehlo.tanh %x : tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}
func.func @unreached(%x: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %y: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.custom_call @farthest(%x, %y) {spmd.reference = @farthest,
      spmd.rule = {dims = "([i], [j])->([i])", along = [{factor = "j", with = "i", ways = ["ring"], merge = @greater}]}}
      : (tensor<6xf32>, tensor<6xf32>) -> tensor<6xf32>
  return %0 : tensor<6xf32>
}
func.func @of_static_arguments(%x: tensor<5xf32>) -> tensor<?xf32> {
  %0 = stablehlo.convert %x : (tensor<5xf32>) -> tensor<?xf32>
  %1 = func.call @twice(%0) : (tensor<?xf32>) -> tensor<?xf32>
  return %1 : tensor<?xf32>
}
func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @greater(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.maximum %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}
// Of each element of the first operand, the largest difference from one of the second.
func.func private @farthest(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %rows = stablehlo.get_dimension_size %a, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %columns = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?xf32>) -> tensor<i32>
  %0 = stablehlo.reshape %rows : (tensor<i32>) -> tensor<1xi32>
  %1 = stablehlo.reshape %columns : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %0, %1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %2 = stablehlo.dynamic_broadcast_in_dim %a, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %3 = stablehlo.dynamic_broadcast_in_dim %b, %shape, dims = [1] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %4 = stablehlo.subtract %2, %3 : tensor<?x?xf32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %5 = stablehlo.reduce(%4 init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  return %5 : tensor<?xf32>
}

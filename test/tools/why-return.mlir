// RUN: spmd-run %s --why | FileCheck %s

// What is returned, and moves, is not the first result by then: that of the composite is gone.
// CHECK: all_gather
// CHECK: operand 0 of 'func.return'
sdy.mesh @mesh = <["x"=4]>
func.func public @main(%arg0: tensor<1x1x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x":(2)2, ?}, {"x":(1)2}]>}, %arg1: tensor<1x1xf32>) -> tensor<1xi32> {
  %0 = stablehlo.unary_einsum %arg0, config = "abc->b" : (tensor<1x1x1xi32>) -> tensor<1xi32>
  %1:2 = stablehlo.composite "some.op" %arg1, %0, %arg1 {composite_attributes = {size = 3 : i64}, decomposition = @helper0, version = 1 : i32} : (tensor<1x1xf32>, tensor<1xi32>, tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<1xi32>)
  return %1#1 : tensor<1xi32>
}
func.func private @helper0(%arg0: tensor<1x1xf32>, %arg1: tensor<1xi32>, %arg2: tensor<1x1xf32>) -> (tensor<1x1xf32>, tensor<1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  return %arg2, %arg1 : tensor<1x1xf32>, tensor<1xi32>
}

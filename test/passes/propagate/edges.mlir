// Which tensor of an op gave which axes to which others, in Shardy's debug notation.
// RUN: spmd-opt %s --spmd-propagate=debug-propagation-edge-sharding=true | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate=debug-propagation-edge-sharding=true | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate | FileCheck %s --check-prefix=OFF --implicit-check-not=propagation_edges

// OFF: func.func @steps
sdy.mesh @m = <["x"=2, "y"=4]>

// A step is one op's, and may move axes both ways. Light ops go first: the sum has "y" from the function's result before the
// product has "x".
// CHECK-LABEL: func.func @steps(
// CHECK: stablehlo.dot_general {{.*}}sdy.propagation_edges = #sdy.propagation_edges<[{step-{{[0-9]+}} = [{"y" = result-0 -> [operand-1]}, {"x" = operand-0 -> [result-0]}]}]>
// CHECK: stablehlo.add {{.*}}sdy.propagation_edges = #sdy.propagation_edges<[{step-{{[0-9]+}} = [{"y" = result-0 -> [operand-0, operand-1]}]}, {step-{{[0-9]+}} = [{"x" = operand-0 -> [operand-1, result-0]}]}]>
// CHECK: return {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"y" = result-0 -> [operand-0]}]}
func.func @steps(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}, %w: tensor<16x24xf32>, %b: tensor<8x24xf32>)
    -> (tensor<8x24xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y"}]>}) {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x24xf32>) -> tensor<8x24xf32>
  %1 = stablehlo.add %0, %b : tensor<8x24xf32>
  return %1 : tensor<8x24xf32>
}

// Parts of axes; a call ties its operands to the arguments, as a result is tied to what it is inside.
// CHECK-LABEL: func.func @parts(
// CHECK: stablehlo.reshape {{.*}}sdy.propagation_edges = #sdy.propagation_edges<[{step-{{[0-9]+}} = [{"y":(1)2 = operand-0 -> [result-0]}, {"y":(2)2 = operand-0 -> [result-0]}]}]>
// CHECK: call @callee{{.*}}sdy.propagation_edges = #sdy.propagation_edges<[{step-{{[0-9]+}} = [{"y":(1)2 = operand-0 -> [result-0]}
func.func @parts(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y"}]>}) -> tensor<2x4xf32> {
  %0 = stablehlo.reshape %a : (tensor<8xf32>) -> tensor<2x4xf32>
  %1 = func.call @callee(%0) : (tensor<2x4xf32>) -> tensor<2x4xf32>
  return %1 : tensor<2x4xf32>
}
func.func private @callee(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %0 = stablehlo.tanh %a : tensor<2x4xf32>
  return %0 : tensor<2x4xf32>
}

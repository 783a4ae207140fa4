// Which tensor of an op gave which axes to which others, in Shardy's debug notation.
// RUN: spmd-opt %s --spmd-propagate=debug-propagation-edge-sharding=true | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate=debug-propagation-edge-sharding=true | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate | FileCheck %s --check-prefix=OFF --implicit-check-not=propagation_edges

// OFF: func.func @steps
sdy.mesh @m = <["x"=2, "y"=4]>

// A step is one op's, and may move axes both ways. Light ops go first: the sum has "y" from the function's result before the
// product has "x". What goes from or to a result of the function stands there.
// CHECK-LABEL: func.func @steps(
// CHECK-SAME: -> (tensor<8x24xf32> {sdy.propagation_edges = #sdy.propagation_edges<[{step-1 = [{"y" = result-0 -> [operand-0]}]}, {step-{{[0-9]+}} = [{"x" = operand-0 -> [result-0]}]}]>
// CHECK: stablehlo.dot_general {{.*}}sdy.propagation_edges = #sdy.propagation_edges<[{step-{{[0-9]+}} = [{"y" = result-0 -> [operand-1]}, {"x" = operand-0 -> [result-0]}]}]>
// CHECK: stablehlo.add {{.*}}sdy.propagation_edges = #sdy.propagation_edges<[{step-{{[0-9]+}} = [{"y" = result-0 -> [operand-0, operand-1]}]}, {step-{{[0-9]+}} = [{"x" = operand-0 -> [operand-1, result-0]}]}]>
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

// A flow has one tensor, and places where it comes in: of what only goes in edges stand by argument, of the rest by result.
// CHECK-LABEL: func.func @flows(
// CHECK: {sdy.block_arg_propagation_edges = [#sdy.propagation_edges<[{step-{{[0-9]+}} = [{"y" = result-0 -> [operand-0]}, {"x" = result-0 -> [operand-0]}]}]>], sdy.result_propagation_edges = [#sdy.propagation_edges<[{step-{{[0-9]+}} = [{"x" = operand-0 -> [result-0]}]}]>]}
// CHECK: stablehlo.while{{.*}}sdy.result_propagation_edges = [#sdy.propagation_edges<[]>, #sdy.propagation_edges<[{step-{{[0-9]+}} = [{"y" = operand-0 -> [operand-1, result-0]}]}, {step-{{[0-9]+}} = [{"x" = operand-0 -> [operand-1, result-0]}]}]>]
func.func @flows(%a: tensor<8x6xf32>, %n: tensor<i32>) -> tensor<8x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"y", ?}, {"x", ?}]>] out_shardings=[<@m, [{"y", ?}, {?}]>] manual_axes={"y"} (%b: tensor<2x6xf32>) {
    %t = stablehlo.tanh %b : tensor<2x6xf32>
    sdy.return %t : tensor<2x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %b = %0) : tensor<i32>, tensor<8x6xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %c = stablehlo.tanh %b : tensor<8x6xf32>
    stablehlo.return %j, %c : tensor<i32>, tensor<8x6xf32>
  }
  return %r#1 : tensor<8x6xf32>
}

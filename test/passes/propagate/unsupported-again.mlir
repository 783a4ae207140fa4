// RUN: spmd-opt %s --spmd-propagate -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate | diff %t.mlir -

// What is sorted lies as decisions left it. When the outcome is read again these are not made any more, and others are, which
// change little: what was inferred before counts as decided, else the sorted values lost what they have.
// CHECK: stablehlo.sort
// CHECK: <@mesh, [{"y", ?}, {?}, {?}, {?}], replicated={"x"}>, <@mesh, [{"y", ?}, {?}, {?}, {?}], replicated={"x"}>
sdy.mesh @mesh = <["x"=4, "y"=2]>
func.func public @main(%arg0: tensor<2x2x1x2xui8> {tf.aliasing_output = 5 : i32}, %arg1: tensor<i32>, %arg2: tensor<2x2x1x2xui8>, %arg3: tensor<i1>, %arg4: tensor<2x1x2xui8>, %arg5: tensor<2x2x1x2xi32>) -> (tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<2x2x1x2xui8>, tensor<2x2x1x2xui8>) {
  %0:2 = "stablehlo.sort"(%arg0, %arg5) <{dimension = 3 : i64, is_stable = true}> ({
  ^bb0(%arg6: tensor<ui8>, %arg7: tensor<ui8>, %arg8: tensor<i32>, %arg9: tensor<i32>):
    stablehlo.return %arg3 : tensor<i1>
  }) : (tensor<2x2x1x2xui8>, tensor<2x2x1x2xi32>) -> (tensor<2x2x1x2xui8>, tensor<2x2x1x2xi32>)
  %c = stablehlo.constant dense<0> : tensor<2x2x1x2xui8>
  %1:5 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %arg4, %iterArg_1 = %arg4, %iterArg_2 = %c, %iterArg_3 = %0#0) : tensor<i32>, tensor<2x1x2xui8>, tensor<2x1x2xui8>, tensor<2x2x1x2xui8>, tensor<2x2x1x2xui8>
  cond {
    stablehlo.return %arg3 : tensor<i1>
  } do {
    %4 = stablehlo.dynamic_slice %iterArg_3, %arg1, %arg1, %arg1, %arg1, sizes = [1, 2, 1, 2] : (tensor<2x2x1x2xui8>, tensor<i32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2x1x2xui8>
    %5 = stablehlo.reshape %4 : (tensor<1x2x1x2xui8>) -> tensor<2x1x2xui8>
    stablehlo.return %arg1, %iterArg_1, %5, %arg2, %iterArg_3 : tensor<i32>, tensor<2x1x2xui8>, tensor<2x1x2xui8>, tensor<2x2x1x2xui8>, tensor<2x2x1x2xui8>
  }
  %2:2 = stablehlo.while(%iterArg = %arg1, %iterArg_0 = %1#3) : tensor<i32>, tensor<2x2x1x2xui8>
  cond {
    stablehlo.return %arg3 : tensor<i1>
  } do {
    stablehlo.return %arg1, %iterArg_0 : tensor<i32>, tensor<2x2x1x2xui8>
  }
  call @helper0(%1#3, %2#1) : (tensor<2x2x1x2xui8>, tensor<2x2x1x2xui8>) -> ()
  %3 = stablehlo.and %arg0, %2#1 : tensor<2x2x1x2xui8>
  return %arg1, %arg1, %arg1, %arg3, %3, %3 : tensor<i32>, tensor<i32>, tensor<i32>, tensor<i1>, tensor<2x2x1x2xui8>, tensor<2x2x1x2xui8>
}
func.func private @helper0(%arg0: tensor<2x2x1x2xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}, {}, {"y", ?}]>}, %arg1: tensor<2x2x1x2xui8> {sdy.sharding = #sdy.sharding<@mesh, [{"y", ?}, {"x":(2)2, ?}, {}, {"x":(1)2, ?}]>}) {
  return
}

// RUN: spmd-opt %s --spmd-propagate -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate | diff %t.mlir -

// What is decided first, and then spread, costs more here than what was spread before; what is decided then costs less, but
// more than nothing decided at all. The cheapest plan that was spread stays, here the first: turns go on from where it ended
// when it is read again.
// CHECK-LABEL: func.func public @main(
// CHECK: stablehlo.unary_einsum {{.*}}<@mesh, [{"y", ?}, {?}]>
sdy.mesh @mesh = <["x"=4, "y"=3]>
func.func public @main(%arg0: tensor<2x2x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"y", ?}, {?}]>}, %arg1: tensor<i32>, %arg2: tensor<2xi32>) {
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{?}, {?}, {"y", "x"}]> : tensor<2x2x3xi32>
  %1 = stablehlo.unary_einsum %arg0, config = "abc->bc" : (tensor<2x2x3xi32>) -> tensor<2x3xi32>
  %2 = "stablehlo.gather"(%1, %arg2) <{dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [1], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [1], index_vector_dim = 1>, slice_sizes = array<i64: 1, 1>}> : (tensor<2x3xi32>, tensor<2xi32>) -> tensor<2xi32>
  %3 = "stablehlo.reduce_window"(%2, %arg1) <{padding = dense<[[2, 0]]> : tensor<1x2xi64>, window_dilations = array<i64: 1>, window_dimensions = array<i64: 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%arg3: tensor<i32>, %arg4: tensor<i32>):
    stablehlo.return %arg1 : tensor<i32>
  }) : (tensor<2xi32>, tensor<i32>) -> tensor<2xi32>
  call @helper1(%3, %2) : (tensor<2xi32>, tensor<2xi32>) -> ()
  return
}
func.func private @helper1(%arg0: tensor<2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(2)2, "y"}]>}, %arg1: tensor<2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], replicated={"y"}>}) {
  return
}

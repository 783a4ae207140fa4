// RUN: sed 's/MESH/<["x"=3, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=3], device_ids=[3, 1, 0, 2, 7, 6, 5, 4, 11, 8, 10, 9]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=1, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=2]>/' %s | spmd-opt - --spmd-propagate --spmd-reshard | FileCheck %s

// Windows of several rows lie in two shards, or do not fit at all; windows that have a dim whole fit where their index
// is 0. Nothing is gathered for that.
// CHECK-NOT: sdy.reshard
// CHECK: "stablehlo.scatter"
// CHECK-NOT: sdy.reshard
// CHECK: "stablehlo.scatter"
sdy.mesh @mesh = MESH
func.func public @main(%matrix: tensor<11x7x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}, %wide: tensor<9x3x2x4xi32>, %whole: tensor<9x7x3xi32>)
  -> (tensor<11x7x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}, tensor<11x7x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) {
  %i = stablehlo.constant dense<[[0,0],[8,5],[9,0],[-1,2],[3,6],[2,4],[5,1],[-2147483648,0],[2147483647,3]]> : tensor<9x2xi32>
  %r = "stablehlo.scatter"(%matrix, %i, %wide) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1,2,3], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.subtract %a, %b : tensor<i32>
      %t = stablehlo.multiply %s, %s : tensor<i32>
      stablehlo.return %t : tensor<i32>
  }) : (tensor<11x7x4xi32>, tensor<9x2xi32>, tensor<9x3x2x4xi32>) -> tensor<11x7x4xi32>
  %j = stablehlo.constant dense<[[0,0,1],[8,0,0],[9,1,0],[-1,0,0],[3,0,1],[2,-1,2],[5,0,1],[7,0,2],[10,0,1]]> : tensor<9x3xi32>
  %q = "stablehlo.scatter"(%matrix, %j, %whole) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1,2], inserted_window_dims=[0], scatter_dims_to_operand_dims = [0, 1, 2], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) : (tensor<11x7x4xi32>, tensor<9x3xi32>, tensor<9x7x3xi32>) -> tensor<11x7x4xi32>
  return %r, %q : tensor<11x7x4xi32>, tensor<11x7x4xi32>
}

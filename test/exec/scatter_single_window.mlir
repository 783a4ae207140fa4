// RUN: sed 's/MESH/<["x"=3, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=3], device_ids=[3, 1, 0, 2, 7, 6, 5, 4, 11, 8, 10, 9]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=6, "y"=1]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=2]>/' %s | spmd-opt - --spmd-pipeline | FileCheck %s

// A window that is alone, and larger than a shard, is cut before it is written: the shard of 4 x 4 grows by 4 rows on
// each side, not by the 9 and 6 of the window. It may begin anywhere, fit or not.
// CHECK-NOT: "stablehlo.all_
// CHECK: stablehlo.dynamic_slice %{{.*}}, sizes = [4, 6] : (tensor<9x6xi32>
// CHECK: stablehlo.dynamic_slice %{{.*}}, sizes = [4, 4] : (tensor<4x6xi32>
// CHECK: "stablehlo.scatter"
// CHECK: (tensor<12x12xi32>, tensor<2xi32>, tensor<4x4xi32>) -> tensor<12x12xi32>
// CHECK-NOT: "stablehlo.all_
sdy.mesh @mesh = MESH
func.func public @main(%matrix: tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %other: tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %window: tensor<9x6xi32>, %column: tensor<1x8xi32>)
  -> (tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %i0 = stablehlo.constant dense<[0, 0]> : tensor<2xi32>
  %r0 = "stablehlo.scatter"(%matrix, %i0, %window) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.subtract %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<2xi32>, tensor<9x6xi32>) -> tensor<11x7xi32>
  %i1 = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %r1 = "stablehlo.scatter"(%matrix, %i1, %window) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<2xi32>, tensor<9x6xi32>) -> tensor<11x7xi32>
  %i2 = stablehlo.constant dense<[1, 1]> : tensor<2xi32>
  %r2 = "stablehlo.scatter"(%matrix, %i2, %window) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.subtract %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<2xi32>, tensor<9x6xi32>) -> tensor<11x7xi32>
  %i3 = stablehlo.constant dense<[3, 0]> : tensor<2xi32>
  %r3 = "stablehlo.scatter"(%matrix, %i3, %window) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<2xi32>, tensor<9x6xi32>) -> tensor<11x7xi32>
  %i4 = stablehlo.constant dense<[-1, 0]> : tensor<2xi32>
  %r4 = "stablehlo.scatter"(%matrix, %i4, %window) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.subtract %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<2xi32>, tensor<9x6xi32>) -> tensor<11x7xi32>
  %i5 = stablehlo.constant dense<[0, -5]> : tensor<2xi32>
  %r5 = "stablehlo.scatter"(%matrix, %i5, %window) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<2xi32>, tensor<9x6xi32>) -> tensor<11x7xi32>
  %i6 = stablehlo.constant dense<[2147483647, 0]> : tensor<2xi32>
  %r6 = "stablehlo.scatter"(%matrix, %i6, %window) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.subtract %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<2xi32>, tensor<9x6xi32>) -> tensor<11x7xi32>
  %i7 = stablehlo.constant dense<[-2147483648, 1]> : tensor<2xi32>
  %r7 = "stablehlo.scatter"(%matrix, %i7, %window) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1]>}> ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %s = stablehlo.add %a, %b : tensor<i32>
      stablehlo.return %s : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<2xi32>, tensor<9x6xi32>) -> tensor<11x7xi32>
  %j0 = stablehlo.constant dense<[[0, 4]]> : tensor<1x2xi32>
  %q0:2 = "stablehlo.scatter"(%matrix, %other, %j0, %column, %column) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %c: tensor<i32>, %b: tensor<i32>, %d: tensor<i32>):
      %s = stablehlo.subtract %c, %b : tensor<i32>
      %t = stablehlo.add %a, %d : tensor<i32>
      stablehlo.return %s, %t : tensor<i32>, tensor<i32>
  }) : (tensor<11x7xi32>, tensor<11x7xi32>, tensor<1x2xi32>, tensor<1x8xi32>, tensor<1x8xi32>) -> (tensor<11x7xi32>, tensor<11x7xi32>)
  %j1 = stablehlo.constant dense<[[6, 3]]> : tensor<1x2xi32>
  %q1:2 = "stablehlo.scatter"(%matrix, %other, %j1, %column, %column) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %c: tensor<i32>, %b: tensor<i32>, %d: tensor<i32>):
      %s = stablehlo.subtract %c, %b : tensor<i32>
      %t = stablehlo.add %a, %d : tensor<i32>
      stablehlo.return %s, %t : tensor<i32>, tensor<i32>
  }) : (tensor<11x7xi32>, tensor<11x7xi32>, tensor<1x2xi32>, tensor<1x8xi32>, tensor<1x8xi32>) -> (tensor<11x7xi32>, tensor<11x7xi32>)
  %j2 = stablehlo.constant dense<[[1, 2]]> : tensor<1x2xi32>
  %q2:2 = "stablehlo.scatter"(%matrix, %other, %j2, %column, %column) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1, 0], index_vector_dim = 1>}> ({
    ^bb0(%a: tensor<i32>, %c: tensor<i32>, %b: tensor<i32>, %d: tensor<i32>):
      %s = stablehlo.subtract %c, %b : tensor<i32>
      %t = stablehlo.add %a, %d : tensor<i32>
      stablehlo.return %s, %t : tensor<i32>, tensor<i32>
  }) : (tensor<11x7xi32>, tensor<11x7xi32>, tensor<1x2xi32>, tensor<1x8xi32>, tensor<1x8xi32>) -> (tensor<11x7xi32>, tensor<11x7xi32>)
  return %r0, %r1, %r2, %r3, %r4, %r5, %r6, %r7, %q0#0, %q0#1, %q1#0, %q1#1, %q2#0, %q2#1 : tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>, tensor<11x7xi32>
}

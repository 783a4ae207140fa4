// RUN: sed 's/MESH/<["x"=2, "y"=3]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["y"=5, "x"=1]>/' %s | spmd-run - | FileCheck %s
// CHECK: equal: {{ *}}yes

// Tensors without elements, along the dims that axes split and beside them.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<0x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %b: tensor<8x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %places: tensor<0x1xi32>)
    -> (tensor<8x8xi32>, tensor<0x5xi32>, tensor<5x9xi32>, tensor<3x8xi32>, tensor<8x5xi32>, tensor<0x8xi32>, tensor<8xi32>, tensor<3x8xi32>, tensor<2x0x4xi32>) {
  %z = stablehlo.constant dense<3> : tensor<i32>
  %squares = stablehlo.dot_general %a, %a, contracting_dims = [0] x [0] : (tensor<0x8xi32>, tensor<0x8xi32>) -> tensor<8x8xi32>
  %taken = "stablehlo.gather"(%b, %places) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 5>}> : (tensor<8x5xi32>, tensor<0x1xi32>) -> tensor<0x5xi32>
  %padded = stablehlo.pad %a, %z, low = [2, 0], high = [3, 1], interior = [1, 0] : (tensor<0x8xi32>, tensor<i32>) -> tensor<5x9xi32>
  %rows = stablehlo.iota dim = 1 : tensor<3x8xi32>
  %joined = stablehlo.concatenate %a, %rows, %a, dim = 0 : (tensor<0x8xi32>, tensor<3x8xi32>, tensor<0x8xi32>) -> tensor<3x8xi32>
  %updated = "stablehlo.scatter"(%b, %places, %taken) <{scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<8x5xi32>, tensor<0x1xi32>, tensor<0x5xi32>) -> tensor<8x5xi32>
  %sorted = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %l = stablehlo.compare LT, %p, %q : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %l : tensor<i1>
  }) : (tensor<0x8xi32>) -> tensor<0x8xi32>
  %largest = stablehlo.reduce(%sorted init: %z) applies stablehlo.maximum across dimensions = [0] : (tensor<0x8xi32>, tensor<i32>) -> tensor<8xi32>
  %windows = "stablehlo.reduce_window"(%a, %z) <{window_dimensions = array<i64: 2, 3>, padding = dense<[[2, 2], [1, 1]]> : tensor<2x2xi64>}> ({
  ^bb0(%p: tensor<i32>, %q: tensor<i32>):
    %s = stablehlo.add %p, %q : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<0x8xi32>, tensor<i32>) -> tensor<3x8xi32>
  %moved = sdy.sharding_constraint %a <@mesh, [{}, {"x", "y"}]> : tensor<0x8xi32>
  %folded = stablehlo.reshape %moved : (tensor<0x8xi32>) -> tensor<2x0x4xi32>
  return %squares, %taken, %padded, %joined, %updated, %sorted, %largest, %windows, %folded : tensor<8x8xi32>, tensor<0x5xi32>, tensor<5x9xi32>, tensor<3x8xi32>, tensor<8x5xi32>, tensor<0x8xi32>, tensor<8xi32>, tensor<3x8xi32>, tensor<2x0x4xi32>
}

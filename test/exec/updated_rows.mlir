// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/<\["x"=4\]>/<["x"=3]>/' %s > %t.three.mlir && spmd-run %t.three.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/<\["x"=4\]>/<["x"=5]>/' %s > %t.five.mlir && spmd-run %t.five.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %s --spmd-pipeline -o %t.mlir && FileCheck %s --input-file=%t.mlir
// EQUAL: equal: {{ *}}yes

// A histogram in a buffer that a program pins where it is updated, as PyTorch does. The pin says
// how the buffer lies, not that updates are parameters: each device adds up those that it has, and
// the sums are scattered. No update is gathered.
sdy.mesh @mesh = <["x"=4]>

// CHECK-LABEL: func.func public @main(
// CHECK: "stablehlo.all_gather"(%arg0)
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: "stablehlo.scatter"
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: "stablehlo.reduce_scatter"
// CHECK: return
func.func public @main(%held: tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                       %rows: tensor<23xi64> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>},
                       %counts: tensor<23xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %ten = stablehlo.constant dense<10> : tensor<23xi64>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %inside = stablehlo.remainder %rows, %ten : tensor<23xi64>
  %added = "stablehlo.scatter"(%held, %inside, %counts) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %sum = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %sum : tensor<i32>
  }) : (tensor<10xi32>, tensor<23xi64>, tensor<23xi32>) -> tensor<10xi32>
  %pinned = sdy.sharding_constraint %added <@mesh, [{"x"}]> : tensor<10xi32>
  %total = stablehlo.reduce(%pinned init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10xi32>, tensor<i32>) -> tensor<i32>
  %each = stablehlo.broadcast_in_dim %total, dims = [] : (tensor<i32>) -> tensor<10xi32>
  %rest = stablehlo.subtract %each, %pinned : tensor<10xi32>
  return %rest : tensor<10xi32>
}

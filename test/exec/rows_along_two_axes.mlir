// RUN: spmd-run %s --json=%t.json
// RUN: %python %S/../at_most.py %t.json wire_bytes_per_device 159080
// RUN: sed 's/"x"=2, "y"=3/"x"=3, "y"=2/' %s | spmd-run -
// RUN: sed 's/{"y", "x"}/{"x", "y"}/' %s | spmd-run -
// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s

// The rows of an embedding table are sharded along two axes, and the words along one of them. Rows are gathered along the
// axis of the words alone. Along the other axis each device looks up the rows that it has, and the results are added.
sdy.mesh @mesh = <["x"=2, "y"=3]>

// CHECK-LABEL: func.func @main
// CHECK: %[[ROWS:.*]] = sdy.reshard %arg0 <@mesh, [{}, {}], unreduced={"x"}>
// CHECK: %[[SHARES:.*]] = "stablehlo.gather"(%[[ROWS]]{{.*}}unreduced={"x"}
// CHECK: sdy.reshard %[[SHARES]] <@mesh, [{"y"}, {}, {}]>
func.func @main(%rows: tensor<601x97xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x"}, {}]>}, %words: tensor<47x13x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>})
    -> (tensor<47x13x97xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {}]>}) {
  %0 = "stablehlo.gather"(%rows, %words) <{dimension_numbers = #stablehlo.gather<offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 97>}> : (tensor<601x97xf32>, tensor<47x13x1xi32>) -> tensor<47x13x97xf32>
  return %0 : tensor<47x13x97xf32>
}

// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s --check-prefix=WHOLE
// RUN: spmd-opt %s --spmd-propagate --spmd-reshard --spmd-partition | FileCheck %s --check-prefix=LOCAL

// A function is split as it stands, and expanded on local shapes at the end of the pipeline.
sdy.mesh @mesh = <["x"=2, "y"=3]>

// CHECK-LABEL: func public @function
// CHECK-NOT: chlo.
// CHECK: stablehlo.atan2 %{{.*}} : tensor<2x3xf32>
// WHOLE-LABEL: func public @function
// WHOLE: chlo.atan {{.*}} : tensor<4x7xf32> -> tensor<4x7xf32>
// LOCAL-LABEL: func public @function
// LOCAL: chlo.atan {{.*}} : tensor<2x3xf32> -> tensor<2x3xf32>
func.func public @function(%x: tensor<4x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> tensor<4x7xf32> {
  %0 = chlo.atan %x : tensor<4x7xf32> -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}

// Rows of a top_k split, what is searched does not.
// CHECK-LABEL: func public @top_k
// CHECK: all_gather
// CHECK: "stablehlo.sort"{{.*}}
// CHECK: }) : (tensor<2x7xf32>, tensor<2x7xi32>)
// LOCAL-LABEL: func public @top_k
// LOCAL: chlo.top_k(%{{.*}}, k = 5) : tensor<2x7xf32> -> (tensor<2x5xf32>, tensor<2x5xi32>)
func.func public @top_k(%x: tensor<4x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<4x5xf32>, tensor<4x5xi32>) {
  %0:2 = chlo.top_k(%x, k = 5) : tensor<4x7xf32> -> (tensor<4x5xf32>, tensor<4x5xi32>)
  return %0#0, %0#1 : tensor<4x5xf32>, tensor<4x5xi32>
}

// A broadcasting op splits without being written out: a dim of size 1 stays whole.
// LOCAL-LABEL: func public @broadcast
// LOCAL: chlo.broadcast_add %{{.*}}, %{{.*}} : (tensor<2x1xf32>, tensor<3xf32>) -> tensor<2x3xf32>
func.func public @broadcast(%a: tensor<4x1xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                            %b: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> tensor<4x7xf32> {
  %0 = chlo.broadcast_add %a, %b : (tensor<4x1xf32>, tensor<7xf32>) -> tensor<4x7xf32>
  return %0 : tensor<4x7xf32>
}

// The groups of a ragged product are sharded: each device computes a share of all rows. One all-reduce adds the shares;
// no group moves.
// CHECK-LABEL: func public @experts
// CHECK-NOT: all_gather
// CHECK: stablehlo.dot_general {{.*}} : (tensor<2x11x9xf32>, tensor<2x9x7xf32>) -> tensor<11x7xf32>
// CHECK: "stablehlo.all_reduce"
// CHECK-NOT: all_gather
// CHECK: return
func.func public @experts(%rows: tensor<11x9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                          %experts: tensor<4x9x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
                          %sizes: tensor<4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>})
    -> (tensor<11x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = "chlo.ragged_dot"(%rows, %experts, %sizes) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [0], rhs_group_dimensions = [0]>}>
      : (tensor<11x9xf32>, tensor<4x9x7xf32>, tensor<4xi32>) -> tensor<11x7xf32>
  return %0 : tensor<11x7xf32>
}

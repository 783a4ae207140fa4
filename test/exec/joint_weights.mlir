// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=2], device_ids=[3, 1, 0, 2, 5, 4]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=7, "y"=1]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=2, "y"=5]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=4, "y"=2]>/' %s | spmd-opt - --spmd-pipeline | FileCheck %s --check-prefix=LOCAL

// Weights of several products in one, forward and backward, along uneven shards: 66 rows, and 3 x 5 heads x 2 columns.
// Products of 66 rows stay where they are but for sums.
// CHECK: equal: yes
// LOCAL-NOT: {{"stablehlo.(all_gather|all_to_all|collective_permute)".*tensor<33x}}
sdy.mesh @mesh = MESH
func.func public @main(%x: tensor<66x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, %w: tensor<4x30xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %b: tensor<30xi32>,
                       %dq: tensor<66x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, %dk: tensor<66x20xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
                       %dh: tensor<66x3x5x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}, {}]>})
    -> (tensor<66x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<66x12xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<66x3x5x2xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}, {}]>},
        tensor<66x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<4x30xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, tensor<30xi32>,
        tensor<66x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}, tensor<30x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<30xi32>) {
  %bias = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<30xi32>) -> tensor<66x30xi32>
  %p = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<66x4xi32>, tensor<4x30xi32>) -> tensor<66x30xi32>
  %s = stablehlo.add %p, %bias : tensor<66x30xi32>
  %q = stablehlo.slice %s [0:66, 0:10] : (tensor<66x30xi32>) -> tensor<66x10xi32>
  %k = stablehlo.slice %s [0:66, 14:26] : (tensor<66x30xi32>) -> tensor<66x12xi32>

  %p2 = stablehlo.dot_general %w, %x, contracting_dims = [0] x [1] : (tensor<4x30xi32>, tensor<66x4xi32>) -> tensor<30x66xi32>
  %n = stablehlo.negate %p2 : tensor<30x66xi32>
  %t = stablehlo.transpose %n, dims = [1, 0] : (tensor<30x66xi32>) -> tensor<66x30xi32>
  %h = stablehlo.reshape %t : (tensor<66x30xi32>) -> tensor<66x3x5x2xi32>

  %zero = stablehlo.constant dense<0> : tensor<i32>
  %g = stablehlo.concatenate %dq, %dk, dim = 1 : (tensor<66x10xi32>, tensor<66x20xi32>) -> tensor<66x30xi32>
  %dx = stablehlo.dot_general %g, %w, contracting_dims = [1] x [1] : (tensor<66x30xi32>, tensor<4x30xi32>) -> tensor<66x4xi32>
  %dw = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0] : (tensor<66x4xi32>, tensor<66x30xi32>) -> tensor<4x30xi32>
  %db = stablehlo.reduce(%g init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<66x30xi32>, tensor<i32>) -> tensor<30xi32>

  %g2 = stablehlo.reshape %dh : (tensor<66x3x5x2xi32>) -> tensor<66x30xi32>
  %m = stablehlo.negate %g2 : tensor<66x30xi32>
  %dx2 = stablehlo.dot_general %m, %w, contracting_dims = [1] x [1] : (tensor<66x30xi32>, tensor<4x30xi32>) -> tensor<66x4xi32>
  %dw2 = stablehlo.dot_general %m, %x, contracting_dims = [0] x [0] : (tensor<66x30xi32>, tensor<66x4xi32>) -> tensor<30x4xi32>
  %db2 = stablehlo.reduce(%m init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<66x30xi32>, tensor<i32>) -> tensor<30xi32>
  return %q, %k, %h, %dx, %dw, %db, %dx2, %dw2, %db2
      : tensor<66x10xi32>, tensor<66x12xi32>, tensor<66x3x5x2xi32>, tensor<66x4xi32>, tensor<4x30xi32>, tensor<30xi32>, tensor<66x4xi32>, tensor<30x4xi32>, tensor<30xi32>
}

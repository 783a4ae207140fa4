// RUN: sed 's/MESH/<["x"=2, "y"=4]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=1, "y"=6]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=8], device_ids=[3, 1, 0, 2, 7, 6, 5, 4, 23, 22, 21, 20, 19, 18, 17, 16, 8, 9, 10, 11, 12, 13, 14, 15]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["y"=5, "x"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["y"=4, "x"=4]>/' %s | spmd-run -

// 6 heads of 8, columns of weights over 4 devices: each half of the devices works on 3 heads. What is gathered is gathered in
// pairs of devices, not over all four.
// CHECK: all_gather {{ *}}2 {{ *}}960 {{ *}}960{{$}}
// CHECK-NEXT: all_reduce {{ *}}1 {{ *}}360 {{ *}}540{{$}}
// CHECK-NEXT: memory
// CHECK: equal: yes
sdy.mesh @mesh = MESH
func.func public @main(%x: tensor<4x5x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %wq: tensor<7x48xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
                       %wk: tensor<7x48xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}, %wo: tensor<48x9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<4x5x9xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
  %q = stablehlo.dot_general %x, %wq, contracting_dims = [2] x [0] : (tensor<4x5x7xi32>, tensor<7x48xi32>) -> tensor<4x5x48xi32>
  %k = stablehlo.dot_general %x, %wk, contracting_dims = [2] x [0] : (tensor<4x5x7xi32>, tensor<7x48xi32>) -> tensor<4x5x48xi32>
  %heads_q = stablehlo.reshape %q : (tensor<4x5x48xi32>) -> tensor<4x5x6x8xi32>
  %heads_k = stablehlo.reshape %k : (tensor<4x5x48xi32>) -> tensor<4x5x6x8xi32>
  %scores = stablehlo.dot_general %heads_q, %heads_k, batching_dims = [0, 2] x [0, 2], contracting_dims = [3] x [3]
      : (tensor<4x5x6x8xi32>, tensor<4x5x6x8xi32>) -> tensor<4x6x5x5xi32>
  %sums = stablehlo.dot_general %scores, %heads_k, batching_dims = [0, 1] x [0, 2], contracting_dims = [3] x [1]
      : (tensor<4x6x5x5xi32>, tensor<4x5x6x8xi32>) -> tensor<4x6x5x8xi32>
  %rows = stablehlo.transpose %sums, dims = [0, 2, 1, 3] : (tensor<4x6x5x8xi32>) -> tensor<4x5x6x8xi32>
  %joined = stablehlo.reshape %rows : (tensor<4x5x6x8xi32>) -> tensor<4x5x48xi32>
  %out = stablehlo.dot_general %joined, %wo, contracting_dims = [2] x [0] : (tensor<4x5x48xi32>, tensor<48x9xi32>) -> tensor<4x5x9xi32>
  return %out : tensor<4x5x9xi32>
}

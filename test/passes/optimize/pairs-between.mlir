// RUN: spmd-opt %s --spmd-optimize="bucket-bytes=0" | FileCheck %s
// What was written is run as it is, and once more as it comes out: the same numbers.
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-opt %s --spmd-optimize -o %t/optimized.mlir
// RUN: spmd-run %s --seed=3 --out %t/results
// RUN: spmd-run %t/optimized.mlir --seed=3 --expect %t/results | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=4]>

// Rows and columns are turned round, each between devices of its own: in one step. What is done in between all devices do
// alike. Where one device gets nothing, or an op takes something else of the device, there are two.
// CHECK-LABEL: func @main
func.func @main(
    %a: tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x8xf32>},
    %b: tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, spmd.global_type = tensor<8x8xf32>}) -> (
    tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, spmd.global_type = tensor<8x8xf32>},
    tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x8xf32>},
    tensor<2x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x8xf32>},
    tensor<8x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>, spmd.global_type = tensor<8x8xf32>}) {
  // CHECK: %[[TURNED:.+]] = stablehlo.reverse %arg0
  // CHECK: %[[SCALED:.+]] = stablehlo.multiply %[[TURNED]]
  // CHECK: %[[ACROSS:.+]] = stablehlo.transpose %[[SCALED]]
  // CHECK: %[[BOTH:.+]] = "stablehlo.collective_permute"(%[[ACROSS]]) <{{.*}}dense<{{\[\[}}0, 3], [1, 2], [2, 1], [3, 0]]>
  %two = stablehlo.constant dense<2.0> : tensor<2x8xf32>
  %1 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<2x8xf32>
  %3 = stablehlo.multiply %2, %two : tensor<2x8xf32>
  %4 = stablehlo.transpose %3, dims = [1, 0] : (tensor<2x8xf32>) -> tensor<8x2xf32>
  %5 = "stablehlo.collective_permute"(%4) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<8x2xf32>) -> tensor<8x2xf32>
  // CHECK: %[[BACK:.+]] = stablehlo.cosine %arg0
  %7 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %8 = stablehlo.cosine %7 : tensor<2x8xf32>
  %9 = "stablehlo.collective_permute"(%8) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: "stablehlo.collective_permute"(%arg0) <{{.*}}dense<{{\[\[}}0, 1], [1, 2], [2, 3]]>
  // CHECK-NEXT: stablehlo.cosine
  // CHECK-NEXT: "stablehlo.collective_permute"
  %10 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  %11 = stablehlo.cosine %10 : tensor<2x8xf32>
  %12 = "stablehlo.collective_permute"(%11) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<2x8xf32>) -> tensor<2x8xf32>
  // CHECK-NEXT: "stablehlo.collective_permute"(%arg1)
  // CHECK-NEXT: stablehlo.add
  // CHECK-NEXT: "stablehlo.collective_permute"
  // CHECK-NEXT: return %[[BOTH]], %[[BACK]],
  %13 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, source_target_pairs = dense<[[0, 1], [1, 0], [2, 3], [3, 2]]> : tensor<4x2xi64>}> : (tensor<8x2xf32>) -> tensor<8x2xf32>
  %14 = stablehlo.add %13, %b : tensor<8x2xf32>
  %15 = "stablehlo.collective_permute"(%14) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, source_target_pairs = dense<[[0, 2], [2, 0], [1, 3], [3, 1]]> : tensor<4x2xi64>}> : (tensor<8x2xf32>) -> tensor<8x2xf32>
  return %5, %9, %12, %15 : tensor<8x2xf32>, tensor<2x8xf32>, tensor<2x8xf32>, tensor<8x2xf32>
}
}

// Overlapping pieces of one value that travel between the same devices travel once.
// RUN: spmd-opt %s --spmd-optimize=bucket-bytes=0 | FileCheck %s
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-opt %s --spmd-optimize -o %t/optimized.mlir
// RUN: spmd-run %s --seed=5 --out %t/results
// RUN: spmd-run %t/optimized.mlir --seed=5 --expect %t/results --rtol=0 --atol=0 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

module attributes {mhlo.num_partitions = 3 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=3]>

func.func @main(
    %x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<12x6xf32>}) -> (
    tensor<1x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<3x6xf32>},
    tensor<2x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<6x6xf32>},
    tensor<3x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<9x6xf32>},
    tensor<3x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<9x2xf32>},
    tensor<3x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<9x2xf32>},
    tensor<1x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<3x6xf32>},
    tensor<2x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<6x6xf32>}) {
  %0 = call @rows(%x) : (tensor<4x6xf32>) -> tensor<1x6xf32>
  %1:2 = call @more(%x) : (tensor<4x6xf32>) -> (tensor<2x6xf32>, tensor<3x6xf32>)
  %2:2 = call @boxes(%x) : (tensor<4x6xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>)
  %3:2 = call @apart(%x) : (tensor<4x6xf32>) -> (tensor<1x6xf32>, tensor<2x6xf32>)
  return %0, %1#0, %1#1, %2#0, %2#1, %3#0, %3#1 : tensor<1x6xf32>, tensor<2x6xf32>, tensor<3x6xf32>, tensor<3x2xf32>, tensor<3x2xf32>, tensor<1x6xf32>, tensor<2x6xf32>
}

// The last row is among the last three, and so is one that stands further ahead.
// CHECK-LABEL: func.func private @rows(
// CHECK: %[[PIECE:.+]] = stablehlo.slice %arg0 [1:4, 0:6]
// CHECK: %[[SENT:.+]] = "stablehlo.collective_permute"(%[[PIECE]])
// CHECK-DAG: stablehlo.slice %[[SENT]] [2:3, 0:6]
// CHECK-DAG: stablehlo.slice %[[SENT]] [0:1, 0:6]
// CHECK-NOT: collective_permute
// CHECK: return
func.func private @rows(%x: tensor<4x6xf32>) -> tensor<1x6xf32> {
  %0 = stablehlo.slice %x [3:4, 0:6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
  %1 = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<1x6xf32>) -> tensor<1x6xf32>
  %2 = stablehlo.slice %x [1:4, 0:6] : (tensor<4x6xf32>) -> tensor<3x6xf32>
  %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<3x6xf32>) -> tensor<3x6xf32>
  %4 = stablehlo.slice %3 [0:1, 0:6] : (tensor<3x6xf32>) -> tensor<1x6xf32>
  %5 = stablehlo.add %1, %4 : tensor<1x6xf32>
  return %5 : tensor<1x6xf32>
}

// Rows 0 and 1 and rows 1 to 3: one in common. The whole is a piece of itself.
// CHECK-LABEL: func.func private @more(
// CHECK: %[[SENT:.+]] = "stablehlo.collective_permute"(%arg0)
// CHECK-NOT: collective_permute
// CHECK: return
func.func private @more(%x: tensor<4x6xf32>) -> (tensor<2x6xf32>, tensor<3x6xf32>) {
  %0 = stablehlo.slice %x [0:2, 0:6] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %1 = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[0, 2], [1, 0]]> : tensor<2x2xi64>}> : (tensor<2x6xf32>) -> tensor<2x6xf32>
  %2 = stablehlo.slice %x [1:4, 0:6] : (tensor<4x6xf32>) -> tensor<3x6xf32>
  %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, source_target_pairs = dense<[[0, 2], [1, 0]]> : tensor<2x2xi64>}> : (tensor<3x6xf32>) -> tensor<3x6xf32>
  %4 = "stablehlo.collective_permute"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[0, 2], [1, 0]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = stablehlo.slice %4 [1:4, 0:6] : (tensor<4x6xf32>) -> tensor<3x6xf32>
  %6 = stablehlo.add %3, %5 : tensor<3x6xf32>
  return %1, %6 : tensor<2x6xf32>, tensor<3x6xf32>
}

// The box around these corners is larger than both, and other devices are others.
// CHECK-LABEL: func.func private @boxes(
// CHECK-COUNT-3: "stablehlo.collective_permute"
// CHECK: return
func.func private @boxes(%x: tensor<4x6xf32>) -> (tensor<3x2xf32>, tensor<3x2xf32>) {
  %0 = stablehlo.slice %x [0:3, 0:2] : (tensor<4x6xf32>) -> tensor<3x2xf32>
  %1 = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %2 = stablehlo.slice %x [1:4, 1:3] : (tensor<4x6xf32>) -> tensor<3x2xf32>
  %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 7, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %4 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 8, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 0]]> : tensor<3x2xi64>}> : (tensor<3x2xf32>) -> tensor<3x2xf32>
  %5 = stablehlo.add %3, %4 : tensor<3x2xf32>
  return %1, %5 : tensor<3x2xf32>, tensor<3x2xf32>
}

// Nothing in common, or not of one value.
// CHECK-LABEL: func.func private @apart(
// CHECK-COUNT-3: "stablehlo.collective_permute"
// CHECK: return
func.func private @apart(%x: tensor<4x6xf32>) -> (tensor<1x6xf32>, tensor<2x6xf32>) {
  %0 = stablehlo.slice %x [0:1, 0:6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
  %1 = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 9, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<1x6xf32>) -> tensor<1x6xf32>
  %2 = stablehlo.slice %x [1:3, 0:6] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 10, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2x6xf32>) -> tensor<2x6xf32>
  %4 = stablehlo.negate %x : tensor<4x6xf32>
  %5 = stablehlo.slice %4 [1:3, 0:6] : (tensor<4x6xf32>) -> tensor<2x6xf32>
  %6 = "stablehlo.collective_permute"(%5) <{channel_handle = #stablehlo.channel_handle<handle = 11, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<2x6xf32>) -> tensor<2x6xf32>
  %7 = stablehlo.add %3, %6 : tensor<2x6xf32>
  return %1, %7 : tensor<1x6xf32>, tensor<2x6xf32>
}
}

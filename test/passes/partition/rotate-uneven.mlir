// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=stop-after=partition | FileCheck %s --check-prefix=MASK

sdy.mesh @mesh = <["x"=4]>

// 9 rows are 3 3 3 and none: what comes round the end is cut as all others are. One permute, and no mask.
// CHECK-LABEL: func.func @blocks(
// CHECK: %[[LAST:.+]] = stablehlo.slice %arg0 [1:3]
// CHECK: %[[SENT:.+]] = "stablehlo.collective_permute"(%[[LAST]])
// CHECK-SAME: source_target_pairs = dense<{{\[\[}}2, 0], [0, 1], [1, 2]]>
// CHECK: %[[FIRST:.+]] = stablehlo.slice %arg0 [0:1]
// CHECK: %[[ROWS:.+]] = stablehlo.concatenate %[[SENT]], %[[FIRST]], dim = 0
// CHECK-NEXT: return %[[ROWS]]
func.func @blocks(%x: tensor<9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<9xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.slice %x [7:9] : (tensor<9xf32>) -> tensor<2xf32>
  %1 = stablehlo.slice %x [0:7] : (tensor<9xf32>) -> tensor<7xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<2xf32>, tensor<7xf32>) -> tensor<9xf32>
  return %2 : tensor<9xf32>
}

// 11 rows are 3 3 3 2: by 2, rows 9 and 10 are 0 and 1 of the first device, and stand first on the last one, where others
// have a row of their own and two of the next. Who sends and receives differs: in the end that is one permute.
// MASK-LABEL: func.func @rows(
// MASK-COUNT-2: "stablehlo.collective_permute"
// MASK-NOT: "stablehlo.collective_permute"
// MASK: stablehlo.select
// MASK-NOT: stablehlo.select
// MASK: return
// CHECK-LABEL: func.func @rows(
// CHECK-COUNT-1: "stablehlo.collective_permute"
// CHECK-NOT: "stablehlo.collective_permute"
func.func @rows(%x: tensor<11xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<11xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.slice %x [2:11] : (tensor<11xf32>) -> tensor<9xf32>
  %1 = stablehlo.slice %x [0:2] : (tensor<11xf32>) -> tensor<2xf32>
  %2 = stablehlo.concatenate %0, %1, dim = 0 : (tensor<9xf32>, tensor<2xf32>) -> tensor<11xf32>
  return %2 : tensor<11xf32>
}

// Indices are 64 bits wide where a dim is too long for 32, and only there.
// RUN: spmd-opt %s --spmd-pipeline --split-input-file | FileCheck %s

// CHECK-LABEL: func.func public @main() -> (tensor<3000000000xi8>
// CHECK: %[[ID:.*]] = stablehlo.partition_id : tensor<ui32>
// CHECK: %[[PLACE:.*]] = stablehlo.convert %[[ID]] : (tensor<ui32>) -> tensor<i64>
// CHECK: %[[SIZE:.*]] = stablehlo.constant dense<3000000000> : tensor<i64>
// CHECK: %[[FIRST:.*]] = stablehlo.multiply %[[PLACE]], %[[SIZE]] : tensor<i64>
// CHECK: stablehlo.iota dim = 0 : tensor<3000000000xi64>
// CHECK: stablehlo.broadcast_in_dim %[[FIRST]], dims = [] : (tensor<i64>) -> tensor<3000000000xi64>
sdy.mesh @mesh = <["x"=2]>
func.func public @main() -> (tensor<6000000000xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.iota dim = 0 : tensor<6000000000xi8>
  return %0 : tensor<6000000000xi8>
}

// -----

// An uneven dim that is masked, on devices in another order.
// CHECK-LABEL: func.func public @main
// CHECK-DAG: stablehlo.constant dense<[1, 0]> : tensor<2xi64>
// CHECK-DAG: stablehlo.constant dense<5000000001> : tensor<i64>
// CHECK: stablehlo.iota dim = 0 : tensor<2500000001xi64>
// CHECK: stablehlo.compare LT, {{.*}} : (tensor<2500000001xi64>, tensor<2500000001xi64>) -> tensor<2500000001xi1>
// CHECK: stablehlo.reduce
sdy.mesh @mesh = <["x"=2], device_ids=[1, 0]>
func.func public @main(%a: tensor<5000000001xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<i32> {sdy.sharding = #sdy.sharding<@mesh, []>}) {
  %0 = stablehlo.constant dense<0> : tensor<i32>
  %1 = stablehlo.reduce(%a init: %0) applies stablehlo.add across dimensions = [0] : (tensor<5000000001xi32>, tensor<i32>) -> tensor<i32>
  return %1 : tensor<i32>
}

// -----

// CHECK-LABEL: func.func public @main
// CHECK: stablehlo.convert {{.*}} : (tensor<ui32>) -> tensor<i32>
// CHECK-NOT: i64
// CHECK: return
sdy.mesh @mesh = <["x"=2]>
func.func public @main() -> (tensor<1000000000xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %0 = stablehlo.iota dim = 0 : tensor<1000000000xi8>
  return %0 : tensor<1000000000xi8>
}

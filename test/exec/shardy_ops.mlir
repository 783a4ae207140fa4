// RUN: spmd-run %s
// RUN: spmd-opt %s --spmd-propagate -o /dev/null
// RUN: spmd-opt %s --spmd-import-shardings | FileCheck %s --implicit-check-not=data_flow_edge --implicit-check-not=sdy.constant

// What Shardy's own passes put into a program runs as any other.
sdy.mesh @mesh = <["x"=2, "y"=3]>

// CHECK-LABEL: func.func @main
func.func @main(%a: tensor<7x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<7x8xf32>, tensor<7x8xf32>) {
  %0 = sdy.func_data_flow_edge %a : tensor<7x8xf32>
  // CHECK: %[[ONES:.*]] = stablehlo.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"y", ?}]>]>} dense<1.000000e+00>
  %1 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {"y", ?}]>]>} dense<1.0> : tensor<7x8xf32>
  // CHECK: %[[SUM:.*]] = stablehlo.add %arg0, %[[ONES]]
  %2 = stablehlo.add %0, %1 : tensor<7x8xf32>
  %3 = sdy.data_flow_edge %2 : tensor<7x8xf32>
  // CHECK: %[[TWICE:.*]] = stablehlo.add %[[SUM]], %[[SUM]]
  %4 = stablehlo.add %3, %3 : tensor<7x8xf32>
  // CHECK: %[[SPLIT:.*]] = sdy.sharding_constraint %[[TWICE]] <@mesh, [{"x"}, {"y"}]>
  %5 = sdy.data_flow_edge %4 sharding=<@mesh, [{"x"}, {"y"}]> : tensor<7x8xf32>
  // CHECK: return %[[SUM]], %[[SPLIT]]
  return %3, %5 : tensor<7x8xf32>, tensor<7x8xf32>
}

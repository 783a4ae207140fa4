// RUN: spmd-opt %s --spmd-legalize-chlo | FileCheck %s
// RUN: spmd-opt %s --spmd-legalize-chlo=keep-hlo | FileCheck %s --check-prefix=HLO

// What moves on one device is written as what it is, where its result is wanted.
// CHECK-LABEL: func.func @a_slice
// CHECK-NEXT: %[[SUM:.+]] = stablehlo.add
// CHECK-NEXT: %[[SLICE:.+]] = stablehlo.slice %arg0 [0:8:2] {sdy.sharding = {{.*}}[{"x"}]{{.*}} : (tensor<8xf32>) -> tensor<4xf32>
// CHECK-NEXT: return %[[SLICE]], %[[SUM]]
// HLO-LABEL: func.func @a_slice
// HLO: stablehlo.async_start
// HLO: stablehlo.async_done
func.func @a_slice(%a: tensor<8xf32>) -> (tensor<4xf32>, tensor<8xf32>) {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    %1 = stablehlo.slice %x [0:8:2] : (tensor<8xf32>) -> tensor<4xf32>
    stablehlo.return %1 : tensor<4xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<4xf32>>
  %2 = stablehlo.add %a, %a : tensor<8xf32>
  %3 = "stablehlo.async_done"(%0) {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>} : (!stablehlo.future<tensor<4xf32>>) -> tensor<4xf32>
  return %3, %2 : tensor<4xf32>, tensor<8xf32>
}

// What devices exchange stays.
// CHECK-LABEL: func.func @an_exchange
// CHECK: stablehlo.async_start
// CHECK: stablehlo.collective_permute
// CHECK: stablehlo.async_done
func.func @an_exchange(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "stablehlo.async_start"(%a) ({
  ^bb0(%x: tensor<8xf32>):
    %1 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<8xf32>) -> tensor<8xf32>
    stablehlo.return %1 : tensor<8xf32>
  }) : (tensor<8xf32>) -> !stablehlo.future<tensor<8xf32>>
  %2 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<8xf32>>) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}

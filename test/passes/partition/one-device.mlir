// RUN: split-file %s %t
// RUN: spmd-opt %t/maximal.mlir --spmd-pipeline | FileCheck %s
// RUN: spmd-opt %t/maximal.mlir --spmd-pipeline | spmd-run - | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-run %t/inlined.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %t/plain.mlir --spmd-pipeline | FileCheck %s --check-prefix=PLAIN

// Where no mesh has axes all runs on one device: nothing but the boundary says anything of
// shardings then.
// CHECK: module attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32}
// CHECK: func.func @main(%[[X:.*]]: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@third, {{.*}}>, spmd.global_type = tensor<4x3xf32>}, %[[Y:.*]]: tensor<4x3xf32> {{{.*}}spmd.global_type = tensor<4x3xf32>}) -> (tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@third, {{.*}}>, spmd.global_type = tensor<4x3xf32>})
// CHECK-NEXT: %[[SUM:.*]] = stablehlo.add %[[X]], %[[Y]] : tensor<4x3xf32>
// CHECK-NEXT: %[[TANH:.*]] = stablehlo.tanh %[[SUM]] : tensor<4x3xf32>
// CHECK-NEXT: %[[SIN:.*]] = stablehlo.sine %[[TANH]] : tensor<4x3xf32>
// CHECK-NEXT: %[[CALLED:.*]] = call @called(%[[SIN]]) : (tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[CALLED]] : tensor<4x3xf32>
// CHECK: func.func private @called(%[[Z:.*]]: tensor<4x3xf32>) -> tensor<4x3xf32>
// CHECK-NEXT: return %[[Z]]

// EQUAL: equal:
// EQUAL-NOT: no{{$}}

// PLAIN-NOT: mhlo
// PLAIN-NOT: spmd.

//--- maximal.mlir
sdy.mesh @third = <[], device_ids=[3]>
sdy.mesh @empty = <[]>
func.func @main(%x: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@third, []>}, %y: tensor<4x3xf32>) -> (tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@third, []>}) {
  %0 = stablehlo.add %x, %y {sdy.sharding = #sdy.sharding_per_value<[<@third, []>]>} : tensor<4x3xf32>
  %1 = sdy.sharding_constraint %0 <@third, []> : tensor<4x3xf32>
  sdy.sharding_group %1 group_id=0 : tensor<4x3xf32>
  %2 = sdy.propagation_barrier %1 allowed_direction=NONE : tensor<4x3xf32>
  %3 = sdy.manual_computation(%2) in_shardings=[<@empty, [{}, {}]>] out_shardings=[<@empty, [{}, {}]>] manual_axes={} (%a: tensor<4x3xf32>) {
    %5 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@empty, [{}, {}]>]>} : tensor<4x3xf32>
    %6 = sdy.manual_computation(%5) in_shardings=[<@empty, [{}, {}]>] out_shardings=[<@empty, [{}, {}]>] manual_axes={} (%b: tensor<4x3xf32>) {
      %7 = stablehlo.sine %b : tensor<4x3xf32>
      sdy.return %7 : tensor<4x3xf32>
    } : (tensor<4x3xf32>) -> tensor<4x3xf32>
    sdy.return %6 : tensor<4x3xf32>
  } : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %4 = call @called(%3) : (tensor<4x3xf32>) -> tensor<4x3xf32>
  return %4 : tensor<4x3xf32>
}
func.func private @called(%x: tensor<4x3xf32> {sdy.sharding = #sdy.sharding<@third, []>}) -> tensor<4x3xf32> {
  %1 = sdy.reshard %x <@third, []> : tensor<4x3xf32>
  return %1 : tensor<4x3xf32>
}

//--- inlined.mlir
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<mesh<[], device_ids=[1]>, []>}) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = sdy.sharding_constraint %0 <mesh<[], device_ids=[1]>, []> : tensor<4xf32>
  return %1 : tensor<4xf32>
}

//--- plain.mlir
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}

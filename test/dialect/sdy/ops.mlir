// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// Every op and each of its spellings, as it is printed, also by way of the generic form.

// CHECK: sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
// CHECK: sdy.mesh @reversed = <["e"=32], device_ids=[31, 30, {{.*}}, 1, 0]> {stablehlo.mesh = {axes = [{name = "e", size = 32 : i64}]}}
sdy.mesh @reversed = <["e"=32], device_ids=[31, 30, 29, 28, 27, 26, 25, 24, 23, 22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0]> {stablehlo.mesh = {axes = [{name = "e", size = 32 : i64}]}}
// CHECK: sdy.mesh @maximal = <[], device_ids=[3]>
sdy.mesh @maximal = <[], device_ids=[3]>
// CHECK: sdy.mesh @empty = <[]>
sdy.mesh @empty = <[]>

// CHECK-LABEL: func @annotations
func.func @annotations(%arg0: tensor<8x16xf32>) -> tensor<8x16xf32> {
  // CHECK: %[[CONSTRAINED:.*]] = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {?}]> {note = 1 : i64} : tensor<8x16xf32>
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"a"}, {?}]> {note = 1 : i64} : tensor<8x16xf32>
  // CHECK: sdy.sharding_constraint %[[CONSTRAINED]] <mesh<["a"=2]>, [{"a"}, {}]> : tensor<8x16xf32>
  %1 = sdy.sharding_constraint %0 <mesh<["a"=2]>, [{"a"}, {}]> : tensor<8x16xf32>
  // CHECK: sdy.propagation_barrier %{{.*}} allowed_direction=NONE : tensor<8x16xf32>
  %2 = sdy.propagation_barrier %1 allowed_direction=NONE : tensor<8x16xf32>
  // CHECK: sdy.propagation_barrier %{{.*}} allowed_direction=FORWARD : tensor<8x16xf32>
  %3 = sdy.propagation_barrier %2 allowed_direction=FORWARD : tensor<8x16xf32>
  // CHECK: sdy.propagation_barrier %{{.*}} allowed_direction=BACKWARD : tensor<8x16xf32>
  %4 = sdy.propagation_barrier %3 allowed_direction=BACKWARD : tensor<8x16xf32>
  // CHECK: sdy.sharding_group %{{.*}} group_id=21 : tensor<8x16xf32>
  sdy.sharding_group %4 group_id=21 : tensor<8x16xf32>
  // CHECK: sdy.reshard %{{.*}} <@mesh, [{}, {"c":(2)2}], replicated={"a"}, unreduced=min{"d"}> : tensor<8x16xf32>
  %5 = sdy.reshard %4 <@mesh, [{}, {"c":(2)2}], replicated={"a"}, unreduced=min{"d"}> : tensor<8x16xf32>
  return %5 : tensor<8x16xf32>
}

// CHECK-LABEL: func @constants
func.func @constants() -> tensor<4xf32> {
  // Equal constants stay apart.
  // CHECK-NEXT: sdy.constant dense<1.000000e+00> : tensor<4xf32>
  %0 = sdy.constant dense<1.0> : tensor<4xf32>
  // CHECK-NEXT: sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} dense<1.000000e+00> : tensor<4xf32>
  %1 = sdy.constant {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"a"}]>]>} dense<1.0> : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// CHECK-LABEL: func @edges
func.func @edges() {
  %0 = sdy.constant dense<1> : tensor<4xi32>
  // CHECK: %[[EDGE:.*]] = sdy.data_flow_edge %{{.*}} : tensor<4xi32>
  %1 = sdy.data_flow_edge %0 : tensor<4xi32>
  // CHECK: sdy.data_flow_edge %[[EDGE]] sharding=<@mesh, [{"a", ?}]> : tensor<4xi32>
  %2 = sdy.data_flow_edge %1 sharding=<@mesh, [{"a", ?}]> : tensor<4xi32>
  // CHECK: sdy.func_data_flow_edge %{{.*}} : tensor<4xi32>
  %3 = sdy.func_data_flow_edge %2 : tensor<4xi32>
  return
}

// CHECK-LABEL: func @computations
func.func @computations(%arg0: tensor<8x16xf32>, %arg1: tensor<8x16xf32>) {
  // CHECK: sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"a"}, {"b"}]>, <@mesh, [{?}, {"b", ?}]>] out_shardings=[<@mesh, [{"a"}, {"b"}]>] manual_axes={"a", "b"} (%[[X:.*]]: tensor<4x8xf32>, %{{.*}}: tensor<8x8xf32>) {
  // CHECK-NEXT: sdy.return %[[X]] : tensor<4x8xf32>
  // CHECK-NEXT: } {note} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"a"}, {"b"}]>, <@mesh, [{?}, {"b", ?}]>] out_shardings=[<@mesh, [{"a"}, {"b"}]>] manual_axes={"a", "b"} (%arg2: tensor<4x8xf32>, %arg3: tensor<8x8xf32>) {
    sdy.return %arg2 : tensor<4x8xf32>
  } {note} : (tensor<8x16xf32>, tensor<8x16xf32>) -> tensor<8x16xf32>
  // CHECK: sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
  // CHECK-NEXT: sdy.return
  // CHECK-NEXT: } : () -> ()
  sdy.manual_computation() in_shardings=[] out_shardings=[] manual_axes={} () {
    sdy.return
  } : () -> ()
  // CHECK: %{{.*}}:2 = sdy.named_computation<"two words">(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{?}, {?}]>] (%[[Y:.*]]: tensor<8x16xf32>) {
  // CHECK-NEXT: sdy.return %[[Y]], %[[Y]] : tensor<8x16xf32>, tensor<8x16xf32>
  // CHECK-NEXT: } : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
  %1:2 = sdy.named_computation<"two words">(%arg0) in_shardings=[<@mesh, [{"a"}, {}]>] out_shardings=[<@mesh, [{}, {}]>, <@mesh, [{?}, {?}]>] (%arg2: tensor<8x16xf32>) {
    sdy.return %arg2, %arg2 : tensor<8x16xf32>, tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> (tensor<8x16xf32>, tensor<8x16xf32>)
  // CHECK: sdy.named_computation<"f">(%arg0) (%{{.*}}: tensor<8x16xf32>) {
  %2 = sdy.named_computation<"f">(%arg0) (%arg2: tensor<8x16xf32>) {
    sdy.return %arg2 : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  // CHECK: sdy.named_computation<"g">(%arg0) out_shardings=[<@mesh, [{}, {}]>] (%{{.*}}: tensor<8x16xf32>) {
  %3 = sdy.named_computation<"g">(%arg0) out_shardings=[<@mesh, [{}, {}]>] (%arg2: tensor<8x16xf32>) {
    sdy.return %arg2 : tensor<8x16xf32>
  } : (tensor<8x16xf32>) -> tensor<8x16xf32>
  return
}

// CHECK-LABEL: func @collectives
func.func @collectives(%arg0: tensor<8x16x32x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {"c"}, {}, {"d"}]>}) {
  // CHECK: %[[GATHERED:.*]] = sdy.all_gather [{"b"}, {}, {}, {"d"}] %arg0 out_sharding=<@mesh, [{"a"}, {"c"}, {}, {}]> : tensor<8x16x32x64xf32>
  %0 = sdy.all_gather [{"b"}, {}, {}, {"d"}] %arg0 out_sharding=<@mesh, [{"a"}, {"c"}, {}, {}]> : tensor<8x16x32x64xf32>
  // Part of an axis can be gathered, as it can be sliced.
  // CHECK: sdy.all_gather [{"b"}, {"c":(2)2}, {}, {"d"}] %arg0 out_sharding=<@mesh, [{"a"}, {"c":(1)2}, {}, {}]> : tensor<8x16x32x64xf32>
  %1 = sdy.all_gather [{"b"}, {"c":(2)2}, {}, {"d"}] %arg0 out_sharding=<@mesh, [{"a"}, {"c":(1)2}, {}, {}]> : tensor<8x16x32x64xf32>
  // CHECK: sdy.all_slice [{}, {"b"}, {"d"}, {}] %[[GATHERED]] out_sharding=<@mesh, [{"a"}, {"c", "b"}, {"d"}, {}]> : tensor<8x16x32x64xf32>
  %2 = sdy.all_slice [{}, {"b"}, {"d"}, {}] %0 out_sharding=<@mesh, [{"a"}, {"c", "b"}, {"d"}, {}]> : tensor<8x16x32x64xf32>
  // CHECK: sdy.all_to_all [{"b"}: 0->2, {"c"}: 1->3] %arg0 out_sharding=<@mesh, [{"a"}, {}, {"b"}, {"d", "c"}]> : tensor<8x16x32x64xf32>
  %3 = sdy.all_to_all [{"b"}: 0->2, {"c"}: 1->3] %arg0 out_sharding=<@mesh, [{"a"}, {}, {"b"}, {"d", "c"}]> : tensor<8x16x32x64xf32>
  // CHECK: sdy.collective_permute %arg0 out_sharding=<@mesh, [{"b", "a"}, {"c"}, {}, {"d"}]> : tensor<8x16x32x64xf32>
  %4 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"b", "a"}, {"c"}, {}, {"d"}]> : tensor<8x16x32x64xf32>
  // CHECK: %[[PARTIAL:.*]] = sdy.replicated_to_unreduced {"b"} %[[GATHERED]] out_sharding=<@mesh, [{"a"}, {"c"}, {}, {}], unreduced={"b"}> : tensor<8x16x32x64xf32>
  %5 = sdy.replicated_to_unreduced {"b"} %0 out_sharding=<@mesh, [{"a"}, {"c"}, {}, {}], unreduced={"b"}> : tensor<8x16x32x64xf32>
  // CHECK: sdy.all_reduce {"b"} %[[PARTIAL]] out_sharding=<@mesh, [{"a"}, {"c"}, {}, {}]> : tensor<8x16x32x64xf32>
  %6 = sdy.all_reduce {"b"} %5 out_sharding=<@mesh, [{"a"}, {"c"}, {}, {}]> : tensor<8x16x32x64xf32>
  // CHECK: sdy.reduce_scatter [{"b"}, {}, {}, {}] %[[PARTIAL]] out_sharding=<@mesh, [{"a", "b"}, {"c"}, {}, {}]> : tensor<8x16x32x64xf32>
  %7 = sdy.reduce_scatter [{"b"}, {}, {}, {}] %5 out_sharding=<@mesh, [{"a", "b"}, {"c"}, {}, {}]> : tensor<8x16x32x64xf32>
  // CHECK: %[[MAXIMA:.*]] = sdy.sharded_to_unreduced [{"b"}, {}, {}, {"d"}] %arg0 out_sharding=<@mesh, [{"a"}, {"c"}, {}, {}], unreduced=max{"b", "d"}> : tensor<8x16x32x64xf32>
  %8 = sdy.sharded_to_unreduced [{"b"}, {}, {}, {"d"}] %arg0 out_sharding=<@mesh, [{"a"}, {"c"}, {}, {}], unreduced=max{"b", "d"}> : tensor<8x16x32x64xf32>
  // CHECK: sdy.all_reduce max {"b", "d"} %[[MAXIMA]] out_sharding=<@mesh, [{"a"}, {"c"}, {}, {}]> : tensor<8x16x32x64xf32>
  %9 = sdy.all_reduce max {"b", "d"} %8 out_sharding=<@mesh, [{"a"}, {"c"}, {}, {}]> : tensor<8x16x32x64xf32>
  // CHECK: sdy.reduce_scatter max [{}, {}, {"d"}, {}] %[[MAXIMA]] out_sharding=<@mesh, [{"a"}, {"c"}, {"d"}, {}], unreduced=max{"b"}> : tensor<8x16x32x64xf32>
  %10 = sdy.reduce_scatter max [{}, {}, {"d"}, {}] %8 out_sharding=<@mesh, [{"a"}, {"c"}, {"d"}, {}], unreduced=max{"b"}> : tensor<8x16x32x64xf32>
  // The default reduction is not printed.
  // CHECK: sdy.all_reduce {} %arg0
  %11 = sdy.all_reduce sum {} %arg0 out_sharding=<@mesh, [{"a", "b"}, {"c"}, {}, {"d"}]> : tensor<8x16x32x64xf32>
  return
}

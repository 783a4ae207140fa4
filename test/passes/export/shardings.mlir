// RUN: spmd-opt %s --split-input-file --spmd-export-shardings | FileCheck %s
// RUN: spmd-opt %s --split-input-file --spmd-export-shardings=form=v3 | FileCheck %s --check-prefix=V3

// Arguments, results and ops say how they lie; what is wholly open says nothing.
// CHECK: module attributes {mhlo.num_partitions = 8 : i32}
// CHECK-NOT: sdy.mesh
// CHECK-LABEL: func @main
// CHECK-SAME: %arg0: tensor<8x6xf32> {mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}
// CHECK-SAME: %arg1: tensor<8x6xf32>) -> (tensor<8x6xf32> {mhlo.sharding = "{replicated}"})
// V3-LABEL: func @main
// V3-SAME: mhlo.sharding = "{mesh['x'=2,'y'=4] [{'x'},{?}]}"
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @main(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %arg1: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>})
    -> (tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  // What somebody asked of an op is a constraint behind it, which all that use it use.
  // CHECK: %[[SUM:.*]] = stablehlo.add {{.*}} {mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"}
  // CHECK: %[[PINNED:.*]] = stablehlo.custom_call @Sharding(%[[SUM]]) {backend_config = "", mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0)}"}
  // V3: stablehlo.add {{.*}} {mhlo.sharding = "{mesh['x'=2,'y'=4] [{'y'},{'x'}]}"}
  %0 = stablehlo.add %arg0, %arg1 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {"x"}]>]>} : tensor<8x6xf32>
  // Several results have several shardings.
  // CHECK: %[[BOTH:.*]]:2 = stablehlo.optimization_barrier {mhlo.sharding = "{{[{][{]}}replicated}, {devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}}"} %[[PINNED]], %[[PINNED]]
  // CHECK: stablehlo.custom_call @Sharding(%[[BOTH]]#0) {backend_config = "", mhlo.sharding = "{replicated}"}
  // CHECK: %[[SECOND:.*]] = stablehlo.custom_call @Sharding(%[[BOTH]]#1) {backend_config = "", mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dim_replicate}"}
  %1:2 = stablehlo.optimization_barrier {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>, <@mesh, [{}, {"y"}]>]>} %0, %0 : tensor<8x6xf32>, tensor<8x6xf32>
  // CHECK: stablehlo.custom_call @Sharding(%[[SECOND]]) {backend_config = "unspecified_dims=[1]", mhlo.sharding = "{devices=[8,1]<=[8]}"}
  // V3: stablehlo.custom_call @Sharding({{.*}}) {backend_config = "", mhlo.sharding = "{mesh['x'=2,'y'=4] [{'x','y'},{?}]}"}
  %2 = sdy.sharding_constraint %1#1 <@mesh, [{"x", "y"}, {?}]> : tensor<8x6xf32>
  // Parts of axes are digits like others.
  // CHECK: stablehlo.custom_call @Sharding({{.*}}) {backend_config = "", mhlo.sharding = "{devices=[2,1,4]<=[2,2,2]T(1,0,2) last_tile_dim_replicate}"}
  // V3: mhlo.sharding = "{mesh['x'=2,'y'=4] [{'y':(1)2},{}]}"
  %3 = sdy.reshard %2 <@mesh, [{"y":(1)2}, {}]> : tensor<8x6xf32>
  // A constraint that nobody uses pins what follows.
  // CHECK: %[[PIN:.*]] = stablehlo.custom_call @Sharding(%[[OLD:.*]]) {backend_config = "", mhlo.sharding = "{replicated}"}
  %4 = sdy.sharding_constraint %3 <@mesh, [{}, {}]> : tensor<8x6xf32>
  // Values of a group lie alike.
  // CHECK: %[[GROUP:.*]] = stablehlo.custom_call @Sharding(%[[PIN]]) {backend_config = "", mhlo.sharding = "{unknown shard_as 7}"}
  sdy.sharding_group %3 group_id=7 : tensor<8x6xf32>
  // CHECK: return %[[GROUP]]
  return %3 : tensor<8x6xf32>
}

// -----

// Partial values, rules, ops that propagation adds, and named computations.
// CHECK-LABEL: func @rest
// CHECK-SAME: mhlo.sharding = "{devices=[4,2]<=[2,4]T(1,0) last_tile_dims={unreduced}}"
// V3-LABEL: func @rest
// V3-SAME: mhlo.sharding = "{mesh['x'=2,'y'=4] [{'y'}], unreduced={'x'}}"

sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @one = <[], device_ids=[3]>
func.func @rest(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}], unreduced={"x"}>}) -> tensor<8xf32> {
  // CHECK: stablehlo.custom_call @f({{.*}}) {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>"}}
  %0 = stablehlo.custom_call @f(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}, custom>} : (tensor<8xf32>) -> tensor<8xf32>
  // CHECK: mhlo.sharding = "{maximal device=3}"
  %1 = sdy.sharding_constraint %0 <@one, [{}]> : tensor<8xf32>
  // CHECK: stablehlo.constant dense<1.0
  %2 = sdy.constant dense<1.0> : tensor<8xf32>
  // CHECK-NEXT: stablehlo.add
  // CHECK-NEXT: return
  %3 = sdy.named_computation<"inner">(%1, %2) (%a: tensor<8xf32>, %b: tensor<8xf32>) {
    %s = stablehlo.add %a, %b : tensor<8xf32>
    %e = sdy.data_flow_edge %s : tensor<8xf32>
    sdy.return %e : tensor<8xf32>
  } : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>
  return %3 : tensor<8xf32>
}

// -----

// A barrier is a call that stops one direction. Shardy's form says which it lets through.
// CHECK-LABEL: func @barriers
// CHECK: stablehlo.custom_call @ShardBarrierTo(%arg0) {backend_config = "", has_side_effect = true}
// CHECK: stablehlo.custom_call @ShardBarrierFrom
func.func @barriers(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = sdy.propagation_barrier %x allowed_direction=FORWARD : tensor<8xf32>
  %1 = sdy.propagation_barrier %0 allowed_direction=BACKWARD : tensor<8xf32>
  return %1 : tensor<8xf32>
}

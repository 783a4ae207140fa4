// RUN: spmd-opt %s --split-input-file --spmd-import-shardings | FileCheck %s

// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2, \22y\22=4]>}"}} {
  // CHECK-LABEL: func @main(%arg0: tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
  // CHECK-SAME: -> (tensor<8x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
  func.func @main(%arg0: tensor<8x12xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}, {}]>"}, mhlo.sharding = "{devices=[2,1,4]<=[8] last_tile_dim_replicate}"}) -> tensor<8x12xf32> {
    // CHECK: sdy.sharding_constraint %arg0 <@mesh, [{?}, {"y"}]>
    %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{?}, {\22y\22}]>]>"}, mhlo.sharding = "{replicated}"} : (tensor<8x12xf32>) -> tensor<8x12xf32>
    // CHECK: sdy.sharding_group {{.*}} group_id=7
    stablehlo.custom_call @xla.sdy.ShardingGroup(%0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.sharding_group_id = "7 : i64"}} : (tensor<8x12xf32>) -> ()
    // CHECK: sdy.manual_computation({{.*}}) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"}
    // CHECK-NEXT: stablehlo.negate {{.*}} : tensor<8x3xf32>
    %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22y\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22y\22}>"}} : (tensor<8x12xf32>) -> tensor<8x3xf32>
    %2 = call @body(%1) : (tensor<8x3xf32>) -> tensor<8x3xf32>
    %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) {mhlo.frontend_attributes = {xla.sdy.out_shardings = "#sdy.sharding_per_value<[<@mesh, [{}, {\22y\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22y\22}>"}} : (tensor<8x3xf32>) -> tensor<8x12xf32>
    // CHECK: stablehlo.custom_call @f
    // CHECK-SAME: sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=12}, custom>
    %4 = stablehlo.custom_call @f(%3) {mhlo.frontend_attributes = {xla.sdy.sharding_rule = "#sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=12}, custom>"}} : (tensor<8x12xf32>) -> tensor<8x12xf32>
    %5 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%4) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[<@mesh, [{\22y\22}, {}]>]>"}} : (tensor<8x12xf32>) -> tensor<8x12xf32>
    return %5 : tensor<8x12xf32>
  }
  // CHECK-NOT: func private @body
  func.func private @body(%arg0: tensor<8x3xf32>) -> tensor<8x3xf32> {
    %0 = stablehlo.negate %arg0 : tensor<8x3xf32>
    return %0 : tensor<8x3xf32>
  }
}

// -----

// XLA's dumps declare manual computations by the shardings of their calls, on a mesh that stands nowhere
// else. Axes that are manual outside already are not manual again.
// CHECK: sdy.mesh @mesh = <["x"=2, "y"=4]>
// CHECK-LABEL: func @named
// CHECK: sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {"y", ?}]>
// CHECK: sdy.manual_computation({{.*}}) in_shardings=[<@mesh, [{"x"}, {"y", ?}]>] out_shardings=[<@mesh, [{"y", ?}, {?}]>] manual_axes={"y"}
// CHECK: sdy.manual_computation({{.*}}) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} ({{.*}}: tensor<4x3xf32>)
// CHECK: sdy.manual_computation() in_shardings=[] out_shardings=[<@mesh, []>] manual_axes={"x", "y"}
// CHECK-NOT: func private
func.func @named(%arg0: tensor<8x12xf32>) -> tensor<32x3xf32> {
  %0 = stablehlo.custom_call @Sharding(%arg0) {has_side_effect = true, mhlo.sharding = "{mesh['x'=2,'y'=4], [{'x'}, {'y',?}]}"} : (tensor<8x12xf32>) -> tensor<8x12xf32>
  %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {has_side_effect = true, mhlo.sharding = "{mesh['x'=2,'y'=4], [{'x'}, {?}], manual={'y'}}"} : (tensor<8x12xf32>) -> tensor<8x3xf32>
  %2 = call @outer(%1) {mhlo.sharding = "{mesh['x'=2,'y'=4], [{?}, {?}], manual={'y'}}"} : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) {has_side_effect = true, mhlo.sharding = "{mesh['x'=2,'y'=4], [{'y',?}, {?}]}"} : (tensor<8x3xf32>) -> tensor<32x3xf32>
  %4 = call @none() {mhlo.sharding = "{mesh['x'=2,'y'=4], manual}"} : () -> tensor<i32>
  %5 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%4) {has_side_effect = true, mhlo.sharding = "{mesh['x'=2,'y'=4], replicated}"} : (tensor<i32>) -> tensor<i32>
  return %3 : tensor<32x3xf32>
}
func.func private @outer(%arg0: tensor<8x3xf32>) -> tensor<8x3xf32> {
  %0 = stablehlo.custom_call @Sharding(%arg0) {has_side_effect = true, mhlo.sharding = "{mesh['x'=2,'y'=4], [{'x'}, {}], manual={'y'}}"} : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %1 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%0) {has_side_effect = true, mhlo.sharding = "{mesh['x'=2,'y'=4], manual}"} : (tensor<8x3xf32>) -> tensor<4x3xf32>
  %2 = call @inner(%1) {mhlo.sharding = "{mesh['x'=2,'y'=4], manual}"} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %3 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%2) {has_side_effect = true, mhlo.sharding = "{mesh['x'=2,'y'=4], [{'x'}, {}], manual={'y'}}"} : (tensor<4x3xf32>) -> tensor<8x3xf32>
  return %3 : tensor<8x3xf32>
}
func.func private @inner(%arg0: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %0 = stablehlo.negate %arg0 : tensor<4x3xf32>
  return %0 : tensor<4x3xf32>
}
func.func private @none() -> tensor<i32> {
  %0 = stablehlo.constant dense<3> : tensor<i32>
  return %0 : tensor<i32>
}

// -----

// CHECK-LABEL: func @barrier
// CHECK: sdy.propagation_barrier %arg0 allowed_direction=FORWARD : tensor<8xf32>
// CHECK-NOT: custom_call
func.func @barrier(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.allowed_direction = "1 : i32"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

// No call ends a manual computation that returns nothing: the one that begins it says its axes.
// CHECK-LABEL: func @nothing
// CHECK: sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[] manual_axes={"x"} (%{{.*}}: tensor<4xf32>)
// CHECK: stablehlo.custom_call @print
// CHECK: sdy.manual_computation(%{{.*}}) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[] manual_axes={"x"} (%{{.*}}: tensor<4xf32>)
// CHECK-NOT: func private
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2]>}"}} {
  func.func @nothing(%arg0: tensor<8xf32>) {
    %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) {has_side_effect = true, mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>"}} : (tensor<8xf32>) -> tensor<4xf32>
    call @body(%0) : (tensor<4xf32>) -> ()
    %1 = stablehlo.custom_call @Sharding(%arg0) {has_side_effect = true, mhlo.sharding = "{mesh['x'=2], [{'x'}]}"} : (tensor<8xf32>) -> tensor<8xf32>
    %2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%1) {has_side_effect = true, mhlo.sharding = "{mesh['x'=2], manual}"} : (tensor<8xf32>) -> tensor<4xf32>
    call @body(%2) : (tensor<4xf32>) -> ()
    return
  }
  func.func private @body(%arg0: tensor<4xf32>) {
    stablehlo.custom_call @print(%arg0) {has_side_effect = true} : (tensor<4xf32>) -> ()
    return
  }
}

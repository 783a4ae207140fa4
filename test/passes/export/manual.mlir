// RUN: spmd-opt %s --split-input-file --spmd-export-shardings | FileCheck %s
// RUN: spmd-opt %s --split-input-file --spmd-export-shardings=form=shardy | FileCheck %s --check-prefix=SHARDY
// What was read is written as it was.
// DEFINE: %{again} = --spmd-import-shardings --spmd-export-shardings
// RUN: spmd-opt %s --split-input-file --spmd-export-shardings %{again} -o %t.first
// RUN: spmd-opt %s --split-input-file --spmd-export-shardings %{again} %{again} -o %t.second
// RUN: diff %t.first %t.second

// A body is called between calls that change shapes. A value that lies as asked needs no constraint before.
// CHECK-LABEL: func @whole
// CHECK: %[[PIN:.*]] = stablehlo.custom_call @Sharding(%arg1) {backend_config = "", mhlo.sharding = "{replicated}"}
// CHECK: %[[IN:.*]] = stablehlo.custom_call @SPMDFullToShardShape(%arg0) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<8x6xf32>) -> tensor<4x6xf32>
// CHECK: %[[IN2:.*]] = stablehlo.custom_call @SPMDFullToShardShape(%[[PIN]]) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<6xf32>) -> tensor<6xf32>
// CHECK: %[[BODY:.*]] = call @manual_body(%[[IN]], %[[IN2]])
// CHECK: %[[OUT:.*]] = stablehlo.custom_call @Sharding(%[[BODY]]) {backend_config = "", mhlo.sharding = "{manual}"}
// CHECK: stablehlo.custom_call @SPMDShardToFullShape(%[[OUT]]) {backend_config = "", mhlo.sharding = "{devices=[2,1]<=[2]}"} : (tensor<4x6xf32>) -> tensor<8x6xf32>
// CHECK: func private @manual_body
// CHECK: stablehlo.broadcast_in_dim
//
// SHARDY: module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2]>}"}
// SHARDY: %[[IN:.*]]:2 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0, %arg1) {{.*}}mhlo.frontend_attributes = {xla.sdy.in_shardings = "#sdy.sharding_per_value<[<@mesh, [{\22x\22}, {}]>, <@mesh, [{}]>]>", xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>"}
// SHARDY: call @xla.sdy.manual_computation_body(%[[IN]]#0, %[[IN]]#1)
// SHARDY: stablehlo.custom_call @xla.sdy.LocalToGlobalShape
sdy.mesh @mesh = <["x"=2]>
func.func @whole(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %arg1: tensor<6xf32>) -> tensor<8x6xf32> {
  %0 = sdy.manual_computation(%arg0, %arg1) in_shardings=[<@mesh, [{"x"}, {}]>, <@mesh, [{}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%a: tensor<4x6xf32>, %b: tensor<6xf32>) {
    %1 = stablehlo.broadcast_in_dim %b, dims = [1] : (tensor<6xf32>) -> tensor<4x6xf32>
    %2 = stablehlo.add %a, %1 : tensor<4x6xf32>
    sdy.return %2 : tensor<4x6xf32>
  } : (tensor<8x6xf32>, tensor<6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// -----

// Along other axes the value lies inside as outside, and is constrained there as elsewhere. What is manual around a
// region is so in it.
// CHECK-LABEL: func @nested
// CHECK: stablehlo.custom_call @SPMDFullToShardShape({{.*}}) {backend_config = "unspecified_dims=[0,1]", mhlo.sharding = "{devices=[1,1,2,4]<=[8] last_tile_dims={manual, replicated}}"}
// CHECK: func private @manual_body
// CHECK: stablehlo.custom_call @Sharding({{.*}}) {backend_config = "", mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"}
// CHECK: stablehlo.custom_call @SPMDFullToShardShape({{.*}}) {backend_config = "", mhlo.sharding = "{manual}"} : (tensor<4x8xf32>) -> tensor<4x2xf32>
// CHECK: stablehlo.custom_call @SPMDShardToFullShape({{.*}}) {backend_config = "", mhlo.sharding = "{devices=[1,4,2]<=[2,4]T(1,0) last_tile_dims={manual}}"} : (tensor<4x2xf32>) -> tensor<4x8xf32>
// SHARDY-LABEL: func @nested
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @nested(%arg0: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x", ?}, {?}]>] out_shardings=[<@mesh, [{"x", ?}, {?}]>] manual_axes={"x"} (%a: tensor<4x8xf32>) {
    %1 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{}, {"y"}]>] out_shardings=[<@mesh, [{}, {"y"}]>] manual_axes={"y"} (%b: tensor<4x2xf32>) {
      %2 = stablehlo.negate %b : tensor<4x2xf32>
      sdy.return %2 : tensor<4x2xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    sdy.return %1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

// -----

// Shardy's form has no call behind a computation that returns nothing.
// CHECK-LABEL: func @nothing
// CHECK: stablehlo.custom_call @SPMDFullToShardShape
// SHARDY-LABEL: func @nothing
// SHARDY: stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) {{.*}}xla.sdy.manual_axes = "#sdy<manual_axes{\22x\22}>"
// SHARDY-NEXT: call @xla.sdy.manual_computation_body(%{{.*}}) : (tensor<4xf32>) -> ()
// SHARDY-NEXT: return
sdy.mesh @mesh = <["x"=2]>
func.func @nothing(%arg0: tensor<8xf32>) {
  sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}]>] out_shardings=[] manual_axes={"x"} (%a: tensor<4xf32>) {
    stablehlo.custom_call @print(%a) {has_side_effect = true} : (tensor<4xf32>) -> ()
    sdy.return
  } : (tensor<8xf32>) -> ()
  return
}

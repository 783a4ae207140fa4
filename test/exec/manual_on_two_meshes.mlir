// RUN: spmd-opt %s --spmd-import-shardings | FileCheck %s --check-prefix=MESHES
// RUN: mkdir -p %t
// RUN: sed '/^\/\/ WHOLE/,$d' %s > %t/manual.mlir
// RUN: sed '1,/^\/\/ WHOLE/d; s/^\/\/ //' %s > %t/whole.mlir
// RUN: spmd-run %t/whole.mlir --engine=whole --seed 7 --out %t/expect
// RUN: spmd-run %t/manual.mlir --seed 7 --expect %t/expect | FileCheck %s

// Two computations on local shapes, on meshes of six devices that have no axes in common, in GSPMD's notation: each is
// on its own, with what it calls.
// MESHES: sdy.mesh @[[FIRST:.*]] = <["axis_0"=2, "axis_1"=3]>
// MESHES: sdy.mesh @[[SECOND:.*]] = <["axis_0"=3, "axis_1"=2]>
// MESHES: sdy.manual_computation({{.*}}) in_shardings=[<@[[FIRST]], [{"axis_0"}, {"axis_1"}]>] out_shardings=[<@[[FIRST]], [{"axis_0"}, {"axis_1"}]>] manual_axes={"axis_0", "axis_1"}
// MESHES: sdy.manual_computation({{.*}}) in_shardings=[<@[[SECOND]], [{"axis_0", ?}, {?}]>] out_shardings=[<@[[SECOND]], [{"axis_0", ?}, {?}]>] manual_axes={"axis_0"}
// MESHES: sdy.sharding_constraint {{.*}} <@[[SECOND]], [{}, {"axis_1"}]>
// CHECK: equal: {{ *}}yes
func.func public @main(%a: tensor<6x6xi32>) -> tensor<6x6xi32> {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[2,3]<=[6]}"} : (tensor<6x6xi32>) -> tensor<6x6xi32>
  %1 = stablehlo.custom_call @SPMDFullToShardShape(%0) {mhlo.sharding = "{manual}"} : (tensor<6x6xi32>) -> tensor<3x2xi32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<3x2xi32>
  %3 = stablehlo.custom_call @Sharding(%2) {mhlo.sharding = "{manual}"} : (tensor<3x2xi32>) -> tensor<3x2xi32>
  %4 = stablehlo.custom_call @SPMDShardToFullShape(%3) {mhlo.sharding = "{devices=[2,3]<=[6]}"} : (tensor<3x2xi32>) -> tensor<6x6xi32>
  %5 = stablehlo.custom_call @Sharding(%4) {mhlo.sharding = "{devices=[3,1,2]<=[6] last_tile_dim_replicate}"} : (tensor<6x6xi32>) -> tensor<6x6xi32>
  %6 = stablehlo.custom_call @SPMDFullToShardShape(%5) {mhlo.sharding = "{devices=[1,1,3,2]<=[6] last_tile_dims={manual, replicated}}"} : (tensor<6x6xi32>) -> tensor<2x6xi32>
  %7 = stablehlo.reverse %6, dims = [0] : tensor<2x6xi32>
  %8 = call @body(%7) : (tensor<2x6xi32>) -> tensor<2x6xi32>
  %9 = stablehlo.custom_call @Sharding(%8) {mhlo.sharding = "{devices=[1,1,3,2]<=[6] last_tile_dims={manual, replicated}}"} : (tensor<2x6xi32>) -> tensor<2x6xi32>
  %10 = stablehlo.custom_call @SPMDShardToFullShape(%9) {mhlo.sharding = "{devices=[3,1,2]<=[6] last_tile_dim_replicate}"} : (tensor<2x6xi32>) -> tensor<6x6xi32>
  return %10 : tensor<6x6xi32>
}
func.func private @body(%a: tensor<2x6xi32>) -> tensor<2x6xi32> {
  %0 = stablehlo.custom_call @Sharding(%a) {mhlo.sharding = "{devices=[1,2,3]<=[3,2]T(1,0) last_tile_dims={manual}}"} : (tensor<2x6xi32>) -> tensor<2x6xi32>
  %1 = stablehlo.custom_call @Sharding(%0) {mhlo.sharding = "{devices=[1,1,3,2]<=[6] last_tile_dims={manual, replicated}}"} : (tensor<2x6xi32>) -> tensor<2x6xi32>
  return %1 : tensor<2x6xi32>
}
// WHOLE
// func.func public @main(%a: tensor<6x6xi32>) -> tensor<6x6xi32> {
//   %0 = stablehlo.reshape %a : (tensor<6x6xi32>) -> tensor<2x3x6xi32>
//   %1 = stablehlo.reverse %0, dims = [1] : tensor<2x3x6xi32>
//   %2 = stablehlo.reshape %1 : (tensor<2x3x6xi32>) -> tensor<3x2x6xi32>
//   %3 = stablehlo.reverse %2, dims = [1] : tensor<3x2x6xi32>
//   %4 = stablehlo.reshape %3 : (tensor<3x2x6xi32>) -> tensor<6x6xi32>
//   return %4 : tensor<6x6xi32>
// }

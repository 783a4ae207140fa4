// RUN: rm -rf %t && mkdir %t
// RUN: sed '/^\/\/ WHOLE/,$d' %s > %t/manual.mlir
// RUN: sed '1,/^\/\/ WHOLE/d; s/^\/\/ //' %s > %t/whole.mlir
// RUN: spmd-run %t/whole.mlir --engine=whole --seed 7 --out %t/expect
// DEFINE: %{equal} = --seed 7 --expect %t/expect | FileCheck %s
// RUN: spmd-run %t/manual.mlir %{equal}
// RUN: spmd-translate %t/manual.mlir --export-gspmd -o %t/gspmd.mlir && spmd-run %t/gspmd.mlir %{equal}
// RUN: spmd-translate %t/manual.mlir --export-hlo --form=v1 -o %t/v1.hlo && spmd-run %t/v1.hlo %{equal}
// RUN: spmd-translate %t/manual.mlir --export-hlo --form=v2 -o %t/v2.hlo && spmd-run %t/v2.hlo %{equal}
// RUN: spmd-translate %t/manual.mlir --export-hlo --form=v3 -o %t/v3.hlo && spmd-run %t/v3.hlo %{equal}
// RUN: spmd-translate %t/manual.mlir --export-hlo --form=shardy -o %t/shardy.hlo && spmd-run %t/shardy.hlo %{equal}
// RUN: spmd-opt %t/gspmd.mlir --spmd-import-shardings | FileCheck %s --check-prefix=BACK

// A region that takes or returns values unreduced along its manual axes sees each device's share, in every notation.
// BACK: sdy.manual_computation({{.*}}) in_shardings=[<{{.*}}, [{"axis_0"}, {}], unreduced={"axis_1"}>] out_shardings=[<{{.*}}, [{"axis_0"}, {}]>]
// BACK: sdy.manual_computation({{.*}}) in_shardings=[<{{.*}}, [{"axis_0"}, {}], unreduced={"axis_1"}>, <{{.*}}, [{"axis_0"}, {"axis_1"}]>] out_shardings=[<{{.*}}, [{"axis_0"}, {}], unreduced={"axis_1"}>, <{{.*}}, [{"axis_0"}, {}], unreduced={"axis_1"}>]
// CHECK: equal: {{ *}}yes
sdy.mesh @mesh = <["dp"=2, "tp"=4]>
func.func @main(%a: tensor<16x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {"tp"}]>},
                %b: tensor<8x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>},
                %c: tensor<16x8xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"dp"}, {}]>}) -> (tensor<16x4xi32>, tensor<16x8xi32>, tensor<16x1xi32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x8xi32>, tensor<8x4xi32>) -> tensor<16x4xi32>
  %1 = sdy.manual_computation(%0) in_shardings=[<@mesh, [{"dp"}, {}], unreduced={"tp"}>] out_shardings=[<@mesh, [{"dp"}, {}]>] manual_axes={"dp", "tp"} (%x: tensor<8x4xi32>) {
    %3 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0,1,2,3],[4,5,6,7]]> : tensor<2x4xi64>, use_global_device_ids}> ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %s = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %s : tensor<i32>
    }) : (tensor<8x4xi32>) -> tensor<8x4xi32>
    sdy.return %3 : tensor<8x4xi32>
  } : (tensor<16x4xi32>) -> tensor<16x4xi32>
  // The argument is replicated along an axis that the region takes it unreduced along.
  %2:2 = sdy.manual_computation(%c, %a) in_shardings=[<@mesh, [{"dp"}, {}], unreduced={"tp"}>, <@mesh, [{"dp"}, {"tp"}]>] out_shardings=[<@mesh, [{"dp"}, {}], unreduced={"tp"}>, <@mesh, [{"dp"}, {}], unreduced={"tp"}>] manual_axes={"dp", "tp"} (%x: tensor<8x8xi32>, %y: tensor<8x2xi32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<8x2xi32>, tensor<i32>) -> tensor<8xi32>
    %4 = stablehlo.reshape %3 : (tensor<8xi32>) -> tensor<8x1xi32>
    sdy.return %x, %4 : tensor<8x8xi32>, tensor<8x1xi32>
  } : (tensor<16x8xi32>, tensor<16x8xi32>) -> (tensor<16x8xi32>, tensor<16x1xi32>)
  return %1, %2#0, %2#1 : tensor<16x4xi32>, tensor<16x8xi32>, tensor<16x1xi32>
}
// WHOLE
// func.func @main(%a: tensor<16x8xi32>, %b: tensor<8x4xi32>, %c: tensor<16x8xi32>) -> (tensor<16x4xi32>, tensor<16x8xi32>, tensor<16x1xi32>) {
//   %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x8xi32>, tensor<8x4xi32>) -> tensor<16x4xi32>
//   %zero = stablehlo.constant dense<0> : tensor<i32>
//   %3 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<16x8xi32>, tensor<i32>) -> tensor<16xi32>
//   %4 = stablehlo.reshape %3 : (tensor<16xi32>) -> tensor<16x1xi32>
//   return %0, %c, %4 : tensor<16x4xi32>, tensor<16x8xi32>, tensor<16x1xi32>
// }

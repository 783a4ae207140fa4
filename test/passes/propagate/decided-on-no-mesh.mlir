// RUN: spmd-opt %s --spmd-propagate -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate | diff %t.mlir -

// A decision takes no value of which it has nothing to say to the mesh that it is about: read again, it belongs to none.
sdy.mesh @rows = <["x"=3, "y"=2]>
sdy.mesh @columns = <["u"=2, "v"=3]>
// CHECK-LABEL: func.func private @decided_about(
// CHECK: stablehlo.slice %{{.*}} [1:2, 0:12] {{.*}}<@rows, [{?}, {?}]>
func.func private @decided_about(%zero: tensor<i32>)
    -> (tensor<1x12xi32> {sdy.sharding = #sdy.sharding<@columns, [{"v", ?}, {"u"}]>}, tensor<1x12xi32> {sdy.sharding = #sdy.sharding<@columns, [{"u"}, {}], unreduced={"v"}>}) {
  %c = stablehlo.constant dense<0> : tensor<6x12xi32>
  %0 = sdy.manual_computation(%c) in_shardings=[<@rows, [{"x", "y"}, {}]>] out_shardings=[<@rows, [{}, {}], replicated={"x", "y"}>] manual_axes={"x", "y"} (%part: tensor<1x12xi32>) {
    sdy.return %part : tensor<1x12xi32>
  } : (tensor<6x12xi32>) -> tensor<1x12xi32>
  %1 = stablehlo.count_leading_zeros %0 : tensor<1x12xi32>
  %2 = stablehlo.pad %1, %zero, low = [0, 0], high = [1, 0], interior = [0, 0] : (tensor<1x12xi32>, tensor<i32>) -> tensor<2x12xi32>
  %3 = stablehlo.pad %2, %zero, low = [0, 2], high = [0, 1], interior = [0, 0] : (tensor<2x12xi32>, tensor<i32>) -> tensor<2x15xi32>
  %4 = stablehlo.slice %3 [1:2, 0:12] : (tensor<2x15xi32>) -> tensor<1x12xi32>
  %5 = stablehlo.slice %3 [0:1, 0:12] : (tensor<2x15xi32>) -> tensor<1x12xi32>
  return %5, %1 : tensor<1x12xi32>, tensor<1x12xi32>
}

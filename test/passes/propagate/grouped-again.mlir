// RUN: spmd-opt %s --split-input-file --spmd-propagate -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %t.mlir --split-input-file --spmd-propagate | diff %t.mlir -

// Members of a sharding group lie alike, and do so when they are read again.

// A pin that leaves open what another closes takes up no more than that one says.
sdy.mesh @m = <["x"=3, "y"=2]>
// CHECK-LABEL: func.func @closed_by_another(
// CHECK-SAME: %arg0: tensor<12x24xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {"y"}]>}
func.func @closed_by_another(%a: tensor<12x24xf32> {sdy.sharding = #sdy.sharding<@m, [{}, {?}]>}) -> tensor<12x24xf32> {
  sdy.sharding_group %a group_id=1 : tensor<12x24xf32>
  // CHECK: stablehlo.sine {{.*}}[{}, {"y"}]>]>}
  %0 = stablehlo.sine %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {"y"}]>]>} : tensor<12x24xf32>
  sdy.sharding_group %0 group_id=1 : tensor<12x24xf32>
  %1 = stablehlo.negate %a {sdy.sharding = #sdy.sharding_per_value<[<@m, [{?}, {"y", "x", ?}]>]>} : tensor<12x24xf32>
  return %1 : tensor<12x24xf32>
}

// -----

// A member that was decided to lie otherwise than the pinned one, as what a loop carries is pinned so at its end, stays as
// it was decided.
// CHECK-LABEL: func.func public @decided_otherwise(
// CHECK: stablehlo.while{{.*}}[{?}, {"z", "y", "x", ?}]>]>, spmd.inferred}
sdy.mesh @m = <["x"=2, "y"=2, "z"=2]>
func.func public @decided_otherwise(%arg0: tensor<8x8xf32>) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@m, [{"z"}, {?}]>] out_shardings=[<@m, [{"z", ?}, {"y", ?}]>] manual_axes={"z"} (%arg1: tensor<4x8xf32>) {
    %4 = sdy.manual_computation(%arg1) in_shardings=[<@m, [{"x"}, {"y", ?}]>] out_shardings=[<@m, [{?}, {"y", "x"}]>] manual_axes={"y"} (%arg2: tensor<4x4xf32>) {
      sdy.return %arg2 : tensor<4x4xf32>
    } : (tensor<4x8xf32>) -> tensor<4x8xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<4x8xf32>
    sdy.return %cst : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = sdy.manual_computation(%arg0) in_shardings=[<@m, [{}, {"x", "y"}]>] out_shardings=[<@m, [{}, {"x", "z", ?}]>] manual_axes={"x"} (%arg1: tensor<8x4xf32>) {
    sdy.return %arg1 : tensor<8x4xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %c = stablehlo.constant dense<0> : tensor<i32>
  %c_0 = stablehlo.constant dense<3> : tensor<i32>
  %c_1 = stablehlo.constant dense<1> : tensor<i32>
  %2:2 = stablehlo.while(%iterArg = %c, %iterArg_2 = %arg0) : tensor<i32>, tensor<8x8xf32>
  cond {
    %4 = stablehlo.compare LT, %iterArg, %c_0 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %4 : tensor<i1>
  } do {
    %4 = stablehlo.add %iterArg, %c_1 : tensor<i32>
    %5 = sdy.manual_computation(%iterArg_2) in_shardings=[<@m, [{"z", ?}, {?}]>] out_shardings=[<@m, [{"z", ?}, {?}]>] manual_axes={"z"} (%arg1: tensor<4x8xf32>) {
      sdy.return %arg1 : tensor<4x8xf32>
    } : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %c_4 = stablehlo.constant dense<3> : tensor<i32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %6:2 = stablehlo.while(%iterArg_6 = %c_3, %iterArg_7 = %arg0) : tensor<i32>, tensor<8x8xf32>
    cond {
      %7 = stablehlo.compare LT, %iterArg_6, %c_4 : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %7 = stablehlo.add %iterArg_6, %c_5 : tensor<i32>
      %8 = stablehlo.add %5, %5 {sdy.sharding = #sdy.sharding_per_value<[<@m, [{}, {"z", "y", ?}]>]>} : tensor<8x8xf32>
      sdy.sharding_group %iterArg_7 group_id=1 : tensor<8x8xf32>
      sdy.sharding_group %5 group_id=1 : tensor<8x8xf32>
      stablehlo.return %7, %8 : tensor<i32>, tensor<8x8xf32>
    }
    stablehlo.return %4, %6#1 : tensor<i32>, tensor<8x8xf32>
  }
  %3 = stablehlo.negate %1 : tensor<8x8xf32>
  return
}

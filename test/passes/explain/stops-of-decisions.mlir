// What a value keeps out by a decision is told once for an op, whichever of its tensors it would come from: there is room for
// what a constraint behind the value says.
// RUN: spmd-opt %s --spmd-explain="value=%9#1" | FileCheck %s
// CHECK: dim 1 (size 10) is not split:
// CHECK-NEXT: "x" of %12 dim 1 {{.*}} does not come through 'stablehlo.sort' {{.*}}: decided for {{.*}}: no dim of %9#1 along it
// CHECK-NEXT: "x" of %split dim 1 {{.*}} does not come through 'sdy.sharding_constraint' {{.*}}: decided for {{.*}}: no dim of %9#1 along it
// CHECK: to split it, write: {sdy.sharding = {{.*}}} at %9
sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>
func.func public @main(%arg1: tensor<4x10xi32>) -> (tensor<4x10xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {"z", "y"}]>}, tensor<i32>, tensor<2x10xi32>, tensor<2x10xi32>, tensor<i32>) {
  %0 = sdy.sharding_constraint %arg1 <@mesh, [{"y", "z", ?}, {"x"}]> : tensor<4x10xi32>
  %1 = stablehlo.negate %arg1 : tensor<4x10xi32>
  %3 = stablehlo.subtract %arg1, %arg1 : tensor<4x10xi32>
  %c = stablehlo.constant dense<[[0, 3, 3, -2, 0, 1, 2, -2, 2, 3], [-3, -2, 3, 0, -3, -2, -3, 1, 0, 1], [3, 0, 1, -1, 2, 2, 2, 1, 1, 0], [2, -2, 3, -1, 1, -3, 2, 0, -2, 2]]> : tensor<4x10xi32>
  %c_0 = stablehlo.constant dense<0> : tensor<i32>
  %c_1 = stablehlo.constant dense<-50> : tensor<i32>
  %5:2 = "stablehlo.reduce_window"(%0, %c, %c_0, %c_1) <{window_dimensions = array<i64: 3, 1>}> ({
  ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>):
    %11 = stablehlo.add %arg2, %arg4 : tensor<i32>
    %12 = stablehlo.maximum %arg3, %arg5 : tensor<i32>
    stablehlo.return %11, %12 : tensor<i32>, tensor<i32>
  }) : (tensor<4x10xi32>, tensor<4x10xi32>, tensor<i32>, tensor<i32>) -> (tensor<2x10xi32>, tensor<2x10xi32>)
  %c_4 = stablehlo.constant dense<0> : tensor<i32>
  %7 = stablehlo.reduce(%3 init: %c_4) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x10xi32>, tensor<i32>) -> tensor<i32>
  %c_5 = stablehlo.constant dense<0> : tensor<i32>
  %c_6 = stablehlo.constant dense<3> : tensor<i32>
  %8 = stablehlo.clamp %c_5, %7, %c_6 : tensor<i32>
  %9:2 = stablehlo.while(%iterArg = %c_5, %iterArg_7 = %3) : tensor<i32>, tensor<4x10xi32>
  cond {
    %11 = stablehlo.compare LT, %iterArg, %8 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %11 : tensor<i1>
  } do {
    %c_8 = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.add %iterArg, %c_8 : tensor<i32>
    %12 = stablehlo.iota dim = 0 : tensor<4x10xi32>
    %13:3 = "stablehlo.sort"(%iterArg_7, %iterArg_7, %12) <{dimension = 0 : i64, is_stable = true}> ({
    ^bb0(%arg2: tensor<i32>, %arg3: tensor<i32>, %arg4: tensor<i32>, %arg5: tensor<i32>, %arg6: tensor<i32>, %arg7: tensor<i32>):
      %14 = stablehlo.compare LT, %arg2, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %15 = stablehlo.compare EQ, %arg2, %arg3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %16 = stablehlo.compare GT, %arg4, %arg5, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      %17 = stablehlo.and %15, %16 : tensor<i1>
      %18 = stablehlo.or %14, %17 : tensor<i1>
      stablehlo.return %18 : tensor<i1>
    }) : (tensor<4x10xi32>, tensor<4x10xi32>, tensor<4x10xi32>) -> (tensor<4x10xi32>, tensor<4x10xi32>, tensor<4x10xi32>)
    stablehlo.return %11, %13#2 : tensor<i32>, tensor<4x10xi32>
  }
  %split = sdy.sharding_constraint %9#1 <@mesh, [{?}, {"x"}]> : tensor<4x10xi32>
  %10:2 = stablehlo.optimization_barrier %8, %1 : tensor<i32>, tensor<4x10xi32>
  return %10#1, %c_1, %5#0, %5#1, %8 : tensor<4x10xi32>, tensor<i32>, tensor<2x10xi32>, tensor<2x10xi32>, tensor<i32>
}

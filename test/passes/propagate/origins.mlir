// Where the axes of each value come from, in Shardy's debug notation.
// RUN: spmd-opt %s --spmd-propagate=debug-sharding-origins=true | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate=debug-sharding-origins=true | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate | FileCheck %s --check-prefix=OFF --implicit-check-not=sharding_origin

// OFF: func.func @boundary
sdy.mesh @m = <["x"=2, "y"=4]>

// CHECK-LABEL: func.func @boundary(
// CHECK-SAME: %arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}]>, sdy.sharding_origins = {x = "self"}}
// CHECK-SAME: %arg1: tensor<16x24xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y", ?}]>, sdy.sharding_origins = {y = "output: 0"}, spmd.inferred}
// CHECK-SAME: sdy.sharding_origins = {x = "input: 0", y = "self"}
// CHECK: stablehlo.dot_general {{.*}}sdy.sharding_origins = [{x = "input: 0", y = "output: 0"}]
func.func @boundary(%a: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}]>}, %w: tensor<16x24xf32>)
    -> (tensor<8x24xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y", ?}]>}) {
  %0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [0] : (tensor<8x16xf32>, tensor<16x24xf32>) -> tensor<8x24xf32>
  return %0 : tensor<8x24xf32>
}

// CHECK-LABEL: func.func @inside(
// CHECK-SAME: sdy.sharding_origins = {"x:(1)2" = "op_0", y = "constraint_0"}
// CHECK: stablehlo.tanh {{.*}}sdy.sharding_origin_name = "op_0", sdy.sharding_origins = [{"x:(1)2" = "self", y = "constraint_0"}]
// CHECK: sdy.sharding_constraint {{.*}}sdy.sharding_origin_name = "constraint_0", sdy.sharding_origins = {"x:(1)2" = "op_0", y = "self"}
sdy.mesh @n = <["x"=4, "y"=2]>
func.func @inside(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.tanh %a {sdy.sharding = #sdy.sharding_per_value<[<@n, [{"x":(1)2, ?}, {?}]>]>} : tensor<8x6xf32>
  %1 = sdy.sharding_constraint %0 <@n, [{?}, {"y", ?}]> : tensor<8x6xf32>
  return %1 : tensor<8x6xf32>
}

// CHECK-LABEL: func.func @manual(
// CHECK-SAME: sdy.sharding_origins = {x = "self", y = "mc_0_input: 0"}
// CHECK-SAME: sdy.sharding_origins = {x = "input: 0", y = "mc_0_output: 0"}
// CHECK: stablehlo.tanh {{.*}}sdy.sharding_origins = [{x = "input: 0"}]
// CHECK: sdy.sharding_origin_name = "mc_0"
func.func @manual(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"x"}]>}) -> tensor<8x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"y", ?}, {?}]>] out_shardings=[<@m, [{"y", ?}, {?}]>] manual_axes={"y"} (%b: tensor<2x6xf32>) {
    %t = stablehlo.tanh %b : tensor<2x6xf32>
    sdy.return %t : tensor<2x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// A callee names the function that the axes come from; each clone its own.
// CHECK-LABEL: func.func @callee(
// CHECK-SAME: sdy.sharding_origins = {x = "@caller input: 0"}
// CHECK-LABEL: func.func @callee_1(
// CHECK-SAME: sdy.sharding_origins = {y = "@caller input: 1"}
func.func @callee(%c: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = stablehlo.tanh %c : tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}
func.func @caller(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {?}]>}, %b: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@m, [{?}, {"y"}]>}) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %0 = func.call @callee(%a) : (tensor<8x6xf32>) -> tensor<8x6xf32>
  %1 = func.call @callee(%b) : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0, %1 : tensor<8x6xf32>, tensor<8x6xf32>
}

// Axes that stay the compiler's come from the computation that says them, inside and behind it, too; ops with regions say it
// of what only goes in and of what comes out.
// CHECK-LABEL: func.func @partly(
// CHECK-SAME: sdy.sharding_origins = {x = "mc_1_input: 0", y = "mc_1_input: 0"}
// CHECK-SAME: -> {{.*}}sdy.sharding_origins = {x = "mc_1_input: 0", y = "mc_1_output: 0"}
// CHECK: stablehlo.tanh {{.*}}sdy.sharding_origins = [{x = "mc_1_input: 0"}]
// CHECK: {sdy.block_arg_sharding_origins = [{x = "self", y = "self"}], sdy.result_sharding_origins = [{x = "mc_1_input: 0", y = "self"}], sdy.sharding_origin_name = "mc_1"}
func.func @partly(%a: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"y", ?}, {"x", ?}]>] out_shardings=[<@m, [{"y", ?}, {?}]>] manual_axes={"y"} (%b: tensor<2x6xf32>) {
    %t = stablehlo.tanh %b : tensor<2x6xf32>
    sdy.return %t : tensor<2x6xf32>
  } : (tensor<8x6xf32>) -> tensor<8x6xf32>
  return %0 : tensor<8x6xf32>
}

// What a loop carries is its result. A constraint has one result, and no list.
// CHECK-LABEL: func.func @turns(
// CHECK: stablehlo.while{{.*}}sdy.result_sharding_origins = [{}, {x = "input: 0", y = "constraint_1"}]
// CHECK: sdy.sharding_constraint {{.*}}sdy.sharding_origin_name = "constraint_1", sdy.sharding_origins = {x = "input: 0", y = "self"}
func.func @turns(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x", ?}, {?}]>}, %n: tensor<i32>) -> tensor<8x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %b = %a) : tensor<i32>, tensor<8x8xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %one : tensor<i32>
    %c = stablehlo.tanh %b : tensor<8x8xf32>
    stablehlo.return %j, %c : tensor<i32>, tensor<8x8xf32>
  }
  %s = sdy.sharding_constraint %r#1 <@m, [{?}, {"y", ?}]> : tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}

// An axis that grew comes from where its last part does.
// CHECK-LABEL: func.func @grown(
// CHECK-SAME: sdy.sharding_origins = {y = "self"}
// CHECK-SAME: -> {{.*}}sdy.sharding_origins = {y = "input: 0"}
func.func @grown(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y", ?}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{"y":(1)2, ?}]>}) {
  %0 = stablehlo.tanh %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}

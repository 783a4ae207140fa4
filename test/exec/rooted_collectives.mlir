// RUN: mkdir -p %t
// RUN: sed '/^\/\/ MANUAL/,$d' %s > %t/plain.mlir
// RUN: sed '1,/^\/\/ MANUAL/d' %s > %t/manual.mlir
// RUN: spmd-run %t/plain.mlir --engine=whole --seed 7 --out %t/expect
// RUN: spmd-run %t/manual.mlir --seed 7 --expect %t/expect | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %t/manual.mlir --spmd-pipeline 2>&1 | FileCheck %s
// EQUAL: equal: {{ *}}yes

// What one device of a group gets or gives splits along the axes that are left to the compiler: nothing is gathered for it.
// CHECK-NOT: warning:
// CHECK-NOT: all_gather
// CHECK: "stablehlo.collective_reduce"
// CHECK: }) : (tensor<6x4xi32>) -> tensor<6x4xi32>
// CHECK: "stablehlo.collective_broadcast"(%{{.*}} : (tensor<6x4xi32>) -> tensor<6x4xi32>
func.func public @main(%a: tensor<12x7xi32>) -> (tensor<12x7xi32>, tensor<12x7xi32>) {
  %low = stablehlo.slice %a [0:6, 0:7] : (tensor<12x7xi32>) -> tensor<6x7xi32>
  %high = stablehlo.slice %a [6:12, 0:7] : (tensor<12x7xi32>) -> tensor<6x7xi32>
  %zeros = stablehlo.constant dense<0> : tensor<6x7xi32>
  %sum = stablehlo.add %low, %high : tensor<6x7xi32>
  %0 = stablehlo.concatenate %sum, %zeros, dim = 0 : (tensor<6x7xi32>, tensor<6x7xi32>) -> tensor<12x7xi32>
  %1 = stablehlo.concatenate %low, %low, dim = 0 : (tensor<6x7xi32>, tensor<6x7xi32>) -> tensor<12x7xi32>
  return %0, %1 : tensor<12x7xi32>, tensor<12x7xi32>
}

// MANUAL
sdy.mesh @mesh = <["m"=2, "a"=2]>

func.func public @main(%a: tensor<12x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"a"}]>}) -> (tensor<12x7xi32>, tensor<12x7xi32>) {
  %0:2 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"m"}, {?}]>] out_shardings=[<@mesh, [{"m"}, {?}]>, <@mesh, [{"m"}, {?}]>] manual_axes={"m"} (%u: tensor<6x7xi32>) {
    %1 = "stablehlo.collective_reduce"(%u) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, use_global_device_ids}> ({
    ^bb0(%p: tensor<i32>, %q: tensor<i32>):
      %3 = stablehlo.add %p, %q : tensor<i32>
      stablehlo.return %3 : tensor<i32>
    }) : (tensor<6x7xi32>) -> tensor<6x7xi32>
    %2 = "stablehlo.collective_broadcast"(%u) <{replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>}> : (tensor<6x7xi32>) -> tensor<6x7xi32>
    sdy.return %1, %2 : tensor<6x7xi32>, tensor<6x7xi32>
  } : (tensor<12x7xi32>) -> (tensor<12x7xi32>, tensor<12x7xi32>)
  return %0#0, %0#1 : tensor<12x7xi32>, tensor<12x7xi32>
}

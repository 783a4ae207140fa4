// RUN: mkdir -p %t
// RUN: sed '/^\/\/ MANUAL/,$d' %s > %t/plain.mlir
// RUN: sed '1,/^\/\/ MANUAL/d' %s > %t/manual.mlir
// RUN: spmd-run %t/plain.mlir --engine=whole --seed 7 --out %t/expect
// RUN: spmd-run %t/manual.mlir --seed 7 --expect %t/expect | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes

// What a computation on local shapes takes lies on another mesh than its own: that one splits nothing inside.
func.func public @main(%a: tensor<4x8x2xi32>) -> tensor<8x2xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<4x8x2xi32>, tensor<i32>) -> tensor<8x2xi32>
  return %0 : tensor<8x2xi32>
}

// MANUAL
sdy.mesh @mesh = <["x"=2, "y"=2]>
sdy.mesh @other = <["u"=2, "v"=2]>

func.func public @main(%a: tensor<4x8x2xi32>) -> tensor<8x2xi32> {
  %0 = sdy.sharding_constraint %a <@other, [{}, {"u", ?}, {"v"}]> : tensor<4x8x2xi32>
  %1 = stablehlo.maximum %0, %a : tensor<4x8x2xi32>
  %2 = sdy.manual_computation(%1) in_shardings=[<@mesh, [{"y", ?}, {?}, {?}]>] out_shardings=[<@mesh, [{"y", ?}, {}]>] manual_axes={"y"} (%u: tensor<2x8x2xi32>) {
    %zero = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.reduce(%u init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<2x8x2xi32>, tensor<i32>) -> tensor<8x2xi32>
    %4 = "stablehlo.reduce_scatter"(%3) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, scatter_dimension = 0 : i64, use_global_device_ids}> ({
    ^bb0(%x: tensor<i32>, %y: tensor<i32>):
      %5 = stablehlo.add %x, %y : tensor<i32>
      stablehlo.return %5 : tensor<i32>
    }) : (tensor<8x2xi32>) -> tensor<4x2xi32>
    sdy.return %4 : tensor<4x2xi32>
  } : (tensor<4x8x2xi32>) -> tensor<8x2xi32>
  return %2 : tensor<8x2xi32>
}

// RUN: mkdir -p %t
// RUN: sed '/^\/\/ MANUAL/,$d' %s > %t/plain.mlir
// RUN: sed '1,/^\/\/ MANUAL/d' %s > %t/manual.mlir
// RUN: spmd-run %t/plain.mlir --engine=whole --seed 7 --out %t/expect
// RUN: spmd-run %t/manual.mlir --seed 7 --expect %t/expect | FileCheck %s
// CHECK: collective_permute
// CHECK: equal: {{ *}}yes

// In a region that one axis is manual in, neighbours along another exchange elements at the cuts.
func.func public @main(%rows: tensor<20x3xi32>) -> (tensor<60xi32>, tensor<2x10x3xi32>) {
  %flat = stablehlo.reshape %rows : (tensor<20x3xi32>) -> tensor<60xi32>
  %twice = stablehlo.add %flat, %flat : tensor<60xi32>
  %back = stablehlo.reshape %twice : (tensor<60xi32>) -> tensor<2x10x3xi32>
  return %twice, %back : tensor<60xi32>, tensor<2x10x3xi32>
}

// MANUAL
sdy.mesh @mesh = <["a"=4, "m"=2]>

func.func public @main(%rows: tensor<20x3xi32>) -> (tensor<60xi32>, tensor<2x10x3xi32>) {
  %flat, %back = sdy.manual_computation(%rows) in_shardings=[<@mesh, [{"m", ?}, {}]>] out_shardings=[<@mesh, [{"m", ?}]>, <@mesh, [{"m"}, {?}, {}]>] manual_axes={"m"} (%own: tensor<10x3xi32>) {
    %held = sdy.sharding_constraint %own <@mesh, [{"a"}, {}]> : tensor<10x3xi32>
    %0 = stablehlo.reshape %held : (tensor<10x3xi32>) -> tensor<30xi32>
    %1 = sdy.sharding_constraint %0 <@mesh, [{"a"}]> : tensor<30xi32>
    %2 = stablehlo.add %1, %1 : tensor<30xi32>
    %3 = stablehlo.reshape %2 : (tensor<30xi32>) -> tensor<1x10x3xi32>
    %4 = sdy.sharding_constraint %3 <@mesh, [{}, {"a"}, {}]> : tensor<1x10x3xi32>
    sdy.return %2, %4 : tensor<30xi32>, tensor<1x10x3xi32>
  } : (tensor<20x3xi32>) -> (tensor<60xi32>, tensor<2x10x3xi32>)
  return %flat, %back : tensor<60xi32>, tensor<2x10x3xi32>
}

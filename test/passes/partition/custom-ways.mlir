// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s %{only-collectives-checked}
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/"x"=4/"x"=3/' %s > %t.3.mlir
// RUN: spmd-run %t.3.mlir | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %s --spmd-check-rules=remarks=true -o %t.out 2>&1 | FileCheck %s --check-prefix=HOLDS

// Sums of three rows, zeros beyond the ends: each device asks its neighbours for a row, and drops what comes of it.
sdy.mesh @mesh = <["x"=4]>

func.func private @sums_of_three(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce_window"(%x, %zero) <{window_dimensions = array<i64: 3, 1>, padding = dense<[[1, 1], [0, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

// CHECK-LABEL: func.func @main
// CHECK-COUNT-2: "stablehlo.collective_permute"{{.*}}(tensor<1x3xf32>) -> tensor<1x3xf32>
// CHECK: stablehlo.custom_call @sums_of_three({{.*}}) {spmd.reference = @sums_of_three} : (tensor<6x3xf32>) -> tensor<6x3xf32>
// CHECK: stablehlo.slice {{.*}} [1:5, 0:3]
// EQUAL: equal: {{ *}}yes
// HOLDS: remark: 'stablehlo.custom_call' op rule holds on 17 placements
func.func @main(%x: tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<16x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.custom_call @sums_of_three(%x) {spmd.reference = @sums_of_three,
      spmd.rule = {dims = "([i, j])->([i, j])", along = [{factor = "i", ways = ["halo"], low = 1, high = 1}]}} : (tensor<16x3xf32>) -> tensor<16x3xf32>
  return %0 : tensor<16x3xf32>
}

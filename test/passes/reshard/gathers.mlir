// RUN: spmd-opt %s --spmd-propagate=on-missing=replicate --spmd-reshard --verify-diagnostics -o %t
// RUN: FileCheck %s < %t

// A dim that no algorithm splits is gathered, with a remark. An axis that moves to another dim and back is no remark.
sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @matrices_are_gathered
// CHECK: sdy.reshard %arg0 <@mesh, [{"x"}, {}, {}]>
// CHECK: stablehlo.cholesky
func.func @matrices_are_gathered(%a: tensor<2x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>})
    -> (tensor<2x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
  // expected-remark@below {{'stablehlo.cholesky' op operand 0 dim 1 is gathered over "y"; no algorithm splits what the op does along it}}
  %0 = stablehlo.cholesky %a, lower = true : tensor<2x8x8xf32>
  return %0 : tensor<2x8x8xf32>
}

// CHECK-LABEL: func @batches_take_axes
// CHECK: sdy.reshard %arg0 <@mesh, [{"x", "y"}, {}, {}]>
// CHECK: stablehlo.cholesky
func.func @batches_take_axes(%a: tensor<16x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>})
    -> (tensor<16x8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}) {
  %0 = stablehlo.cholesky %a, lower = true : tensor<16x8x8xf32>
  return %0 : tensor<16x8x8xf32>
}

// A sort of few rows is gathered because that is cheaper. That is no remark.
// CHECK-LABEL: func @short_sorts
// CHECK: sdy.reshard %arg0 <@mesh, [{}]>
// CHECK: stablehlo.sort
// CHECK-LABEL: func @long_sorts
// CHECK-NOT: sdy.reshard
// CHECK: stablehlo.sort
// CHECK-NOT: sdy.reshard
// CHECK: return
func.func @short_sorts(%a: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>})
    -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %less = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func @long_sorts(%a: tensor<4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>})
    -> (tensor<4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 0 : i64}> ({
  ^bb0(%x: tensor<f32>, %y: tensor<f32>):
    %less = stablehlo.compare LT, %x, %y, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<4096xf32>) -> tensor<4096xf32>
  return %0 : tensor<4096xf32>
}

// A pad that drops most rows could read those of its neighbors. Gathering them is cheaper, which is no remark.
func.func @cost_decides(%a: tensor<7x1xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<3x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>}) {
  %c = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.pad %a, %c, low = [0, 4], high = [-4, -1], interior = [0, 1] : (tensor<7x1xi32>, tensor<i32>) -> tensor<3x4xi32>
  return %0 : tensor<3x4xi32>
}

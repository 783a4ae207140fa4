// RUN: spmd-opt %s --spmd-legalize-chlo | FileCheck %s

// CHECK-NOT: chlo.

// CHECK-LABEL: func @atan
// CHECK-SAME: (%[[X:.*]]: tensor<3xf32>)
func.func @atan(%x: tensor<3xf32>) -> tensor<3xf32> {
  // CHECK-NEXT: %[[ONE:.*]] = stablehlo.constant dense<1.000000e+00> : tensor<3xf32>
  // CHECK-NEXT: %[[R:.*]] = stablehlo.atan2 %[[X]], %[[ONE]] : tensor<3xf32>
  // CHECK-NEXT: return %[[R]]
  %0 = chlo.atan %x : tensor<3xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func @tan_has_an_op
func.func @tan_has_an_op(%z: tensor<3xcomplex<f32>>) -> tensor<3xcomplex<f32>> {
  // CHECK-NEXT: stablehlo.tan %{{.*}} : tensor<3xcomplex<f32>>
  %0 = chlo.tan %z : tensor<3xcomplex<f32>> -> tensor<3xcomplex<f32>>
  return %0 : tensor<3xcomplex<f32>>
}

// A narrow float is computed as f32.
// CHECK-LABEL: func @narrow
func.func @narrow(%x: tensor<3xf8E4M3FN>) -> tensor<3xf8E4M3FN> {
  // CHECK-NEXT: stablehlo.convert %{{.*}} : (tensor<3xf8E4M3FN>) -> tensor<3xf32>
  // CHECK: stablehlo.exponential %{{.*}} : tensor<3xf32>
  // CHECK: stablehlo.convert %{{.*}} : (tensor<3xf32>) -> tensor<3xf8E4M3FN>
  %0 = chlo.cosh %x : tensor<3xf8E4M3FN> -> tensor<3xf8E4M3FN>
  return %0 : tensor<3xf8E4M3FN>
}

// An integer is multiplied in twice its width.
// CHECK-LABEL: func @mulhi
func.func @mulhi(%i: tensor<3xui8>, %j: tensor<3xui8>) -> tensor<3xui8> {
  // CHECK: %[[P:.*]] = stablehlo.multiply %{{.*}}, %{{.*}} : tensor<3xui16>
  // CHECK: stablehlo.shift_right_logical %[[P]], %{{.*}} : tensor<3xui16>
  %0 = chlo.mulhi %i, %j : tensor<3xui8>, tensor<3xui8> -> tensor<3xui8>
  return %0 : tensor<3xui8>
}

// CHECK-LABEL: func @conj_of_a_real_is_itself
// CHECK-NEXT: return %arg0
func.func @conj_of_a_real_is_itself(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = chlo.conj %x : tensor<3xf32> -> tensor<3xf32>
  return %0 : tensor<3xf32>
}

// CHECK-LABEL: func @predicates
func.func @predicates(%x: tensor<3xf16>) -> (tensor<3xi1>, tensor<3xi1>, tensor<3xi1>) {
  // CHECK: stablehlo.abs
  // CHECK: stablehlo.compare EQ
  // CHECK: stablehlo.constant dense<0x7F800000>
  // CHECK: stablehlo.compare EQ
  // CHECK: stablehlo.constant dense<0xFF800000>
  // CHECK: stablehlo.compare EQ
  %0 = chlo.is_inf %x : tensor<3xf16> -> tensor<3xi1>
  %1 = chlo.is_pos_inf %x : tensor<3xf16> -> tensor<3xi1>
  %2 = chlo.is_neg_inf %x : tensor<3xf16> -> tensor<3xi1>
  return %0, %1, %2 : tensor<3xi1>, tensor<3xi1>, tensor<3xi1>
}

// Attributes of the op, shardings among them, go to what gives its value.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func @sharding_stays
func.func @sharding_stays(%x: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: stablehlo.atan2 {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
  %0 = chlo.atan %x {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : tensor<4xf32> -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

// Bodies of reductions too.
// CHECK-LABEL: func @in_a_body
func.func @in_a_body(%x: tensor<4xi32>, %init: tensor<i32>) -> tensor<i32> {
  // CHECK: reducer
  // CHECK: stablehlo.convert %{{.*}} : (tensor<i32>) -> tensor<i64>
  %0 = stablehlo.reduce(%x init: %init) across dimensions = [0] : (tensor<4xi32>, tensor<i32>) -> tensor<i32>
   reducer(%a: tensor<i32>, %b: tensor<i32>) {
    %1 = chlo.mulhi %a, %b : tensor<i32>, tensor<i32> -> tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }
  return %0 : tensor<i32>
}

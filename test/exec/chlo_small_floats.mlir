// RUN: spmd-run %s --engine=whole | FileCheck %s
// CHECK: equal: yes

// Neighbours in formats without infinities, without a negative zero, and without a sign.
func.func @main() {
  %x0 = stablehlo.constant dense<[1.0, 1.0, -1.0, 0.0, 0.0, 448.0, 3.0, 0x7F]> : tensor<8xf8E4M3FN>
  %y0 = stablehlo.constant dense<[2.0, 0.0, 2.0, 1.0, -1.0, 0.0, 3.0, 1.0]> : tensor<8xf8E4M3FN>
  %0 = chlo.next_after %x0, %y0 : tensor<8xf8E4M3FN>, tensor<8xf8E4M3FN> -> tensor<8xf8E4M3FN>
  %e0 = stablehlo.constant dense<[1.125, 0.9375, -0.9375, 0x01, 0x81, 416.0, 3.0, 0x7F]> : tensor<8xf8E4M3FN>
  %b0 = stablehlo.bitcast_convert %0 : (tensor<8xf8E4M3FN>) -> tensor<8xi8>
  %f0 = stablehlo.bitcast_convert %e0 : (tensor<8xf8E4M3FN>) -> tensor<8xi8>
  stablehlo.custom_call @check.expect_eq(%b0, %f0) {has_side_effect = true} : (tensor<8xi8>, tensor<8xi8>) -> ()

  // From the least negative number upwards there is one zero.
  %x1 = stablehlo.constant dense<[0x81, 0x01, 0.0, 1.0]> : tensor<4xf8E4M3FNUZ>
  %y1 = stablehlo.constant dense<[1.0, -1.0, -1.0, 2.0]> : tensor<4xf8E4M3FNUZ>
  %1 = chlo.next_after %x1, %y1 : tensor<4xf8E4M3FNUZ>, tensor<4xf8E4M3FNUZ> -> tensor<4xf8E4M3FNUZ>
  %e1 = stablehlo.constant dense<[0.0, 0.0, 0x81, 1.125]> : tensor<4xf8E4M3FNUZ>
  %b1 = stablehlo.bitcast_convert %1 : (tensor<4xf8E4M3FNUZ>) -> tensor<4xi8>
  %f1 = stablehlo.bitcast_convert %e1 : (tensor<4xf8E4M3FNUZ>) -> tensor<4xi8>
  stablehlo.custom_call @check.expect_eq(%b1, %f1) {has_side_effect = true} : (tensor<4xi8>, tensor<4xi8>) -> ()

  %x2 = stablehlo.constant dense<[1.0, 1.0, 4.0]> : tensor<3xf8E8M0FNU>
  %y2 = stablehlo.constant dense<[2.0, 0.5, 4.0]> : tensor<3xf8E8M0FNU>
  %2 = chlo.next_after %x2, %y2 : tensor<3xf8E8M0FNU>, tensor<3xf8E8M0FNU> -> tensor<3xf8E8M0FNU>
  %b2 = stablehlo.convert %2 : (tensor<3xf8E8M0FNU>) -> tensor<3xf32>
  %f2 = stablehlo.constant dense<[2.0, 0.5, 4.0]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_eq(%b2, %f2) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()

  %x3 = stablehlo.constant dense<[1.0, 0.0, 6.0]> : tensor<3xf4E2M1FN>
  %y3 = stablehlo.constant dense<[6.0, -6.0, 0.0]> : tensor<3xf4E2M1FN>
  %3 = chlo.next_after %x3, %y3 : tensor<3xf4E2M1FN>, tensor<3xf4E2M1FN> -> tensor<3xf4E2M1FN>
  %b3 = stablehlo.convert %3 : (tensor<3xf4E2M1FN>) -> tensor<3xf32>
  %f3 = stablehlo.constant dense<[1.5, -0.5, 4.0]> : tensor<3xf32>
  stablehlo.custom_call @check.expect_eq(%b3, %f3) {has_side_effect = true} : (tensor<3xf32>, tensor<3xf32>) -> ()
  return
}

// RUN: spmd-run %s --engine=whole
// RUN: spmd-opt %s | FileCheck %s
// RUN: spmd-opt %s | spmd-opt | FileCheck %s

// Booleans in hexadecimal, packed or a byte each, are the same constant; a broken one is not touched.
// CHECK-LABEL: func @main
func.func @main() {
  // CHECK-COUNT-3: stablehlo.constant dense<[true, false, true, false, true, false, true, false, true]> : tensor<9xi1>
  %listed = stablehlo.constant dense<[true, false, true, false, true, false, true, false, true]> : tensor<9xi1>
  %packed = stablehlo.constant dense<"0x5501"> : tensor<9xi1>
  %bytes = stablehlo.constant dense<"0x010001000100010001"> : tensor<9xi1>
  stablehlo.custom_call @check.expect_eq(%packed, %listed) {has_side_effect = true} : (tensor<9xi1>, tensor<9xi1>) -> ()
  stablehlo.custom_call @check.expect_eq(%bytes, %listed) {has_side_effect = true} : (tensor<9xi1>, tensor<9xi1>) -> ()
  // CHECK-COUNT-2: stablehlo.constant dense<{{\[\[}}true, true], [false, true], [false, false]]> : tensor<3x2xi1>
  %table = "stablehlo.constant"() {value = dense<"0x010100010000"> : tensor<3x2xi1>} : () -> tensor<3x2xi1>
  %table_packed = stablehlo.constant dense<"0x0B"> : tensor<3x2xi1>
  stablehlo.custom_call @check.expect_eq(%table, %table_packed) {has_side_effect = true} : (tensor<3x2xi1>, tensor<3x2xi1>) -> ()
  // Eight booleans in one byte, and bytes of other types.
  // CHECK: stablehlo.constant dense<[true, false, true, false, true, false, true, false]> : tensor<8xi1>
  %eight = stablehlo.constant dense<"0x55"> : tensor<8xi1>
  // CHECK: stablehlo.constant dense<[1, 0]> : tensor<2xi8>
  %integers = stablehlo.constant dense<"0x0100"> : tensor<2xi8>
  // However many they are, they are printed as words, which all readers know, and read again as what they were.
  // CHECK: stablehlo.constant dense<{{\[\[}}true, false, false, true, {{.*}}, false, true, false, true]]> : tensor<2x52xi1>
  %many = stablehlo.constant dense<"0x499224499224499224499224A9"> : tensor<2x52xi1>
  // CHECK: stablehlo.constant dense<true> : tensor<2x52xi1>
  %all = stablehlo.constant dense<"0xFF"> : tensor<2x52xi1>
  // CHECK: stablehlo.constant dense<> : tensor<0x3xi1>
  %none = stablehlo.constant dense<> : tensor<0x3xi1>
  return
}

// RUN: spmd-opt %s --spmd-compose-slices --split-input-file | FileCheck %s

// Pieces that are padded to stand one behind the other, and added up, are joined, in the order of their rows.
// CHECK-LABEL: func @pieces_of_a_whole
// CHECK-SAME: %[[A:.*]]: tensor<2x8xf32>, %[[B:.*]]: tensor<3x8xf32>, %[[C:.*]]: tensor<4x8xf32>
func.func @pieces_of_a_whole(%a: tensor<2x8xf32>, %b: tensor<3x8xf32>, %c: tensor<4x8xf32>) -> tensor<9x8xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %c, %zero, low = [5, 0], high = [0, 0], interior = [0, 0] : (tensor<4x8xf32>, tensor<f32>) -> tensor<9x8xf32>
  %1 = stablehlo.pad %a, %zero, low = [0, 0], high = [7, 0], interior = [0, 0] : (tensor<2x8xf32>, tensor<f32>) -> tensor<9x8xf32>
  %2 = stablehlo.add %0, %1 : tensor<9x8xf32>
  %3 = stablehlo.pad %b, %zero, low = [2, 0], high = [4, 0], interior = [0, 0] : (tensor<3x8xf32>, tensor<f32>) -> tensor<9x8xf32>
  %4 = stablehlo.add %2, %3 : tensor<9x8xf32>
  // CHECK: %[[R:.*]] = stablehlo.concatenate %[[A]], %[[B]], %[[C]], dim = 0
  // CHECK-NEXT: return %[[R]]
  return %4 : tensor<9x8xf32>
}

// -----

// What else is added stays, as do zeros around what was joined.
// CHECK-LABEL: func @beside_others
// CHECK-SAME: %[[X:.*]]: tensor<9xi32>, %[[A:.*]]: tensor<2xi32>, %[[B:.*]]: tensor<3xi32>
func.func @beside_others(%x: tensor<9xi32>, %a: tensor<2xi32>, %b: tensor<3xi32>) -> tensor<9xi32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.pad %a, %zero, low = [1], high = [6], interior = [0] : (tensor<2xi32>, tensor<i32>) -> tensor<9xi32>
  %1 = stablehlo.add %x, %0 : tensor<9xi32>
  %2 = stablehlo.pad %b, %zero, low = [3], high = [3], interior = [0] : (tensor<3xi32>, tensor<i32>) -> tensor<9xi32>
  %3 = stablehlo.add %1, %2 : tensor<9xi32>
  // CHECK: %[[J:.*]] = stablehlo.concatenate %[[A]], %[[B]], dim = 0
  // CHECK: %[[P:.*]] = stablehlo.pad %[[J]], %{{.*}}, low = [1], high = [3]
  // CHECK: %[[R:.*]] = stablehlo.add %[[X]], %[[P]]
  // CHECK-NEXT: return %[[R]]
  return %3 : tensor<9xi32>
}

// -----

// Pieces that overlap, that have rows of zeros between them, that are padded with something else, along two dims, or read by
// others stay as they are.
// CHECK-LABEL: func @no_pieces
// CHECK-NOT: concatenate
// CHECK: return
func.func @no_pieces(%a: tensor<4xf32>, %b: tensor<4xf32>, %c: tensor<2x2xf32>)
    -> (tensor<8xf32>, tensor<9xf32>, tensor<8xf32>, tensor<4x4xf32>, tensor<8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [0], high = [4], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %1 = stablehlo.pad %b, %zero, low = [3], high = [1], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %overlap = stablehlo.add %0, %1 : tensor<8xf32>
  %2 = stablehlo.pad %a, %zero, low = [0], high = [5], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<9xf32>
  %3 = stablehlo.pad %b, %zero, low = [5], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<9xf32>
  %apart = stablehlo.add %2, %3 : tensor<9xf32>
  %4 = stablehlo.pad %a, %one, low = [0], high = [4], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %5 = stablehlo.pad %b, %one, low = [4], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %ones = stablehlo.add %4, %5 : tensor<8xf32>
  %6 = stablehlo.pad %c, %zero, low = [0, 0], high = [2, 2], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  %7 = stablehlo.pad %c, %zero, low = [2, 2], high = [0, 0], interior = [0, 0] : (tensor<2x2xf32>, tensor<f32>) -> tensor<4x4xf32>
  %corners = stablehlo.add %6, %7 : tensor<4x4xf32>
  %8 = stablehlo.pad %a, %zero, low = [0], high = [4], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %9 = stablehlo.pad %b, %zero, low = [4], high = [0], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<8xf32>
  %read = stablehlo.add %8, %9 : tensor<8xf32>
  return %overlap, %apart, %ones, %corners, %read, %8 : tensor<8xf32>, tensor<9xf32>, tensor<8xf32>, tensor<4x4xf32>, tensor<8xf32>, tensor<8xf32>
}

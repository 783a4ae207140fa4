// RUN: spmd-opt %s --spmd-compose-slices --split-input-file | FileCheck %s

// A shift that fills up: a pad that loses on the other side what it gains.
// CHECK-LABEL: func.func @shift_up(
// CHECK-NEXT: %[[ZERO:.+]] = stablehlo.constant
// CHECK-NEXT: %[[R:.+]] = stablehlo.pad %arg0, %[[ZERO]], low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<8x5xf32>, tensor<f32>) -> tensor<8x5xf32>
// CHECK-NEXT: return %[[R]]
func.func @shift_up(%a: tensor<8x5xf32>) -> tensor<8x5xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [1, 0], high = [0, 0], interior = [0, 0] : (tensor<8x5xf32>, tensor<f32>) -> tensor<9x5xf32>
  %1 = stablehlo.slice %0 [0:8, 0:5] : (tensor<9x5xf32>) -> tensor<8x5xf32>
  return %1 : tensor<8x5xf32>
}

// -----

// All that see the padded rows are cuts of them; the one that takes none of the padding is a slice.
// CHECK-LABEL: func.func @stencil(
// CHECK-DAG: %[[UP:.+]] = stablehlo.pad %arg0, %{{.+}}, low = [1, 0], high = [-1, 0]
// CHECK-DAG: %[[DOWN:.+]] = stablehlo.pad %arg0, %{{.+}}, low = [-1, 0], high = [1, 0]
// CHECK-DAG: %[[SOME:.+]] = stablehlo.slice %arg0 [1:8:2, 2:5] : (tensor<8x5xf32>) -> tensor<4x3xf32>
// CHECK: return %[[UP]], %[[DOWN]], %arg0, %[[SOME]]
func.func @stencil(%a: tensor<8x5xf32>) -> (tensor<8x5xf32>, tensor<8x5xf32>, tensor<8x5xf32>, tensor<4x3xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<8x5xf32>, tensor<f32>) -> tensor<10x5xf32>
  %1 = stablehlo.slice %0 [0:8, 0:5] : (tensor<10x5xf32>) -> tensor<8x5xf32>
  %2 = stablehlo.slice %0 [2:10, 0:5] : (tensor<10x5xf32>) -> tensor<8x5xf32>
  %3 = stablehlo.slice %0 [1:9, 0:5] : (tensor<10x5xf32>) -> tensor<8x5xf32>
  %4 = stablehlo.slice %0 [2:9:2, 2:5] : (tensor<10x5xf32>) -> tensor<4x3xf32>
  return %1, %2, %3, %4 : tensor<8x5xf32>, tensor<8x5xf32>, tensor<8x5xf32>, tensor<4x3xf32>
}

// -----

// Rows of several operands are joined from cuts of these.
// CHECK-LABEL: func.func @edges(
// CHECK-NEXT: %[[REST:.+]] = stablehlo.slice %arg0 [1:6] : (tensor<6xf32>) -> tensor<5xf32>
// CHECK-NEXT: %[[R:.+]] = stablehlo.concatenate %[[REST]], %arg1, dim = 0 : (tensor<5xf32>, tensor<1xf32>) -> tensor<6xf32>
// CHECK-NEXT: return %[[R]], %arg0
func.func @edges(%a: tensor<6xf32>, %edge: tensor<1xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %0 = stablehlo.concatenate %edge, %a, %edge, dim = 0 : (tensor<1xf32>, tensor<6xf32>, tensor<1xf32>) -> tensor<8xf32>
  %1 = stablehlo.slice %0 [2:8] : (tensor<8xf32>) -> tensor<6xf32>
  %2 = stablehlo.slice %0 [1:7] : (tensor<8xf32>) -> tensor<6xf32>
  return %1, %2 : tensor<6xf32>, tensor<6xf32>
}

// -----

// A slice of a slice; a cut of all; nothing that is joined; a reshape that takes one back; a pad of nothing, but not one that
// puts a row in front and takes one behind.
// CHECK-LABEL: func.func @simple(
// CHECK-DAG: %[[NONE:.+]] = stablehlo.constant dense<> : tensor<0x3xf32>
// CHECK-DAG: %[[TWICE:.+]] = stablehlo.slice %arg0 [1:8:6, 0:3] : (tensor<8x3xf32>) -> tensor<2x3xf32>
// CHECK-DAG: %[[SHIFTED:.+]] = stablehlo.pad %arg0
// CHECK: return %[[TWICE]], %[[NONE]], %arg0, %arg0, %arg0, %[[SHIFTED]]
func.func @simple(%a: tensor<8x3xf32>) -> (tensor<2x3xf32>, tensor<0x3xf32>, tensor<8x3xf32>, tensor<8x3xf32>, tensor<8x3xf32>, tensor<8x3xf32>) {
  %0 = stablehlo.slice %a [1:8:2, 0:3] : (tensor<8x3xf32>) -> tensor<4x3xf32>
  %1 = stablehlo.slice %0 [0:4:3, 0:3] : (tensor<4x3xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.slice %a [8:8, 0:3] : (tensor<8x3xf32>) -> tensor<0x3xf32>
  %3 = stablehlo.slice %a [0:8, 0:3] : (tensor<8x3xf32>) -> tensor<8x3xf32>
  %4 = stablehlo.concatenate %2, %3, dim = 0 : (tensor<0x3xf32>, tensor<8x3xf32>) -> tensor<8x3xf32>
  %5 = stablehlo.broadcast_in_dim %a, dims = [0, 2] : (tensor<8x3xf32>) -> tensor<8x1x3xf32>
  %6 = stablehlo.reshape %5 : (tensor<8x1x3xf32>) -> tensor<8x3xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %7 = stablehlo.pad %a, %zero, low = [0, 0], high = [0, 0], interior = [0, 0] : (tensor<8x3xf32>, tensor<f32>) -> tensor<8x3xf32>
  %8 = stablehlo.pad %a, %zero, low = [1, 0], high = [-1, 0], interior = [0, 0] : (tensor<8x3xf32>, tensor<f32>) -> tensor<8x3xf32>
  return %1, %2, %4, %6, %7, %8 : tensor<2x3xf32>, tensor<0x3xf32>, tensor<8x3xf32>, tensor<8x3xf32>, tensor<8x3xf32>, tensor<8x3xf32>
}

// -----

// A reshape that takes back others to the result of one is that result: its users are those of one value.
// CHECK-LABEL: func.func @again(
// CHECK: %[[FLAT:.+]] = stablehlo.reshape %arg0 : (tensor<8x3xf32>) -> tensor<24xf32>
// CHECK: return %[[FLAT]], %[[FLAT]], %[[FLAT]]
func.func @again(%a: tensor<8x3xf32>) -> (tensor<24xf32>, tensor<24xf32>, tensor<24xf32>) {
  %0 = stablehlo.reshape %a : (tensor<8x3xf32>) -> tensor<24xf32>
  %1 = stablehlo.reshape %0 : (tensor<24xf32>) -> tensor<8x3xf32>
  %2 = stablehlo.reshape %1 : (tensor<8x3xf32>) -> tensor<24xf32>
  %3 = stablehlo.reshape %2 : (tensor<24xf32>) -> tensor<4x6xf32>
  %4 = stablehlo.reshape %3 : (tensor<4x6xf32>) -> tensor<24xf32>
  return %0, %2, %4 : tensor<24xf32>, tensor<24xf32>, tensor<24xf32>
}

// -----

// One row turned round is that row, and swapping it with others is a reshape.
// CHECK-LABEL: func.func @one_row(
// CHECK: return %arg0, %arg0
func.func @one_row(%a: tensor<52xf32>) -> (tensor<52xf32>, tensor<52xf32>) {
  %0 = stablehlo.reshape %a : (tensor<52xf32>) -> tensor<52x1xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<52x1xf32>) -> tensor<1x52xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<1x52xf32>
  %3 = stablehlo.slice %2 [0:1, 0:52] : (tensor<1x52xf32>) -> tensor<1x52xf32>
  %4 = stablehlo.reshape %3 : (tensor<1x52xf32>) -> tensor<52xf32>
  %5 = stablehlo.reshape %2 : (tensor<1x52xf32>) -> tensor<52xf32>
  return %4, %5 : tensor<52xf32>, tensor<52xf32>
}

// -----

// Several rows are not.
// CHECK-LABEL: func.func @several_rows(
// CHECK: stablehlo.transpose
// CHECK: stablehlo.reverse
// CHECK: stablehlo.reshape
func.func @several_rows(%a: tensor<6xf32>) -> tensor<6xf32> {
  %0 = stablehlo.reshape %a : (tensor<6xf32>) -> tensor<3x2xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<3x2xf32>) -> tensor<2x3xf32>
  %2 = stablehlo.reverse %1, dims = [0] : tensor<2x3xf32>
  %3 = stablehlo.reshape %2 : (tensor<2x3xf32>) -> tensor<6xf32>
  return %3 : tensor<6xf32>
}

// -----

// Stay: rows that somebody sees whole, rows said to be split, padding between rows, nothing but padding, rows of
// several operands that are cut along another dim alone, and a slice that others cut.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @stay(
// CHECK-COUNT-4: stablehlo.pad
// CHECK: stablehlo.concatenate
// CHECK-COUNT-5: stablehlo.slice
// CHECK: %[[FEW:.+]] = stablehlo.slice
// CHECK-NEXT: stablehlo.slice %[[FEW]]
// CHECK-NEXT: stablehlo.slice %[[FEW]]
func.func @stay(%a: tensor<8xf32>, %b: tensor<4x3xf32>) -> (tensor<9xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1xf32>, tensor<8x2xf32>, tensor<1xf32>, tensor<1xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [1], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  %1 = stablehlo.pad %a, %zero, low = [1], high = [0], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  %2 = stablehlo.pad %a, %zero, low = [0], high = [0], interior = [1] : (tensor<8xf32>, tensor<f32>) -> tensor<15xf32>
  %3 = stablehlo.pad %a, %zero, low = [2], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<10xf32>
  %4 = stablehlo.concatenate %b, %b, dim = 0 : (tensor<4x3xf32>, tensor<4x3xf32>) -> tensor<8x3xf32>
  %5 = stablehlo.slice %0 [0:8] : (tensor<9xf32>) -> tensor<8xf32>
  %6 = stablehlo.slice %1 [0:8] : (tensor<9xf32>) -> tensor<8xf32>
  %7 = stablehlo.slice %2 [2:10] : (tensor<15xf32>) -> tensor<8xf32>
  %8 = stablehlo.slice %3 [0:1] : (tensor<10xf32>) -> tensor<1xf32>
  %9 = stablehlo.slice %4 [0:8, 1:3] : (tensor<8x3xf32>) -> tensor<8x2xf32>
  %10 = stablehlo.slice %a [2:4] : (tensor<8xf32>) -> tensor<2xf32>
  %11 = stablehlo.slice %10 [0:1] : (tensor<2xf32>) -> tensor<1xf32>
  %12 = stablehlo.slice %10 [1:2] : (tensor<2xf32>) -> tensor<1xf32>
  return %0, %5, %6, %7, %8, %9, %11, %12 : tensor<9xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<1xf32>, tensor<8x2xf32>, tensor<1xf32>, tensor<1xf32>
}

// -----

// What a slice says of its result is said of what replaces it.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @said(
// CHECK: stablehlo.pad %arg0, %{{.+}}, low = [1], high = [-1], interior = [0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
// CHECK: stablehlo.slice %arg0 [0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<8xf32>) -> tensor<8xf32>
func.func @said(%a: tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [1], high = [0], interior = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<9xf32>
  %1 = stablehlo.slice %0 [0:8] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<9xf32>) -> tensor<8xf32>
  %2 = stablehlo.slice %0 [1:9] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>]>} : (tensor<9xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<8xf32>, tensor<8xf32>
}

// -----

// A transpose of a transpose is its operand or one transpose, but for what is pinned between.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @transposed(
// CHECK: %[[T:.+]] = stablehlo.transpose %arg1, dims = [1, 2, 0] : (tensor<2x3x4xf32>) -> tensor<3x4x2xf32>
// CHECK: %[[P:.+]] = stablehlo.transpose %arg0, dims = [1, 0] {sdy.sharding
// CHECK: %[[S:.+]] = stablehlo.transpose %[[P]], dims = [1, 0]
// CHECK: return %arg0, %[[T]], %arg1, %[[S]]
func.func @transposed(%a: tensor<8x5xf32>, %b: tensor<2x3x4xf32>) -> (tensor<8x5xf32>, tensor<3x4x2xf32>, tensor<2x3x4xf32>, tensor<8x5xf32>) {
  %0 = stablehlo.transpose %a, dims = [1, 0] : (tensor<8x5xf32>) -> tensor<5x8xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<5x8xf32>) -> tensor<8x5xf32>
  %2 = stablehlo.transpose %b, dims = [0, 2, 1] : (tensor<2x3x4xf32>) -> tensor<2x4x3xf32>
  %3 = stablehlo.transpose %2, dims = [2, 1, 0] : (tensor<2x4x3xf32>) -> tensor<3x4x2xf32>
  %4 = stablehlo.transpose %3, dims = [2, 0, 1] : (tensor<3x4x2xf32>) -> tensor<2x3x4xf32>
  %5 = stablehlo.transpose %a, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>} : (tensor<8x5xf32>) -> tensor<5x8xf32>
  %6 = stablehlo.transpose %5, dims = [1, 0] : (tensor<5x8xf32>) -> tensor<8x5xf32>
  return %1, %3, %4, %6 : tensor<8x5xf32>, tensor<3x4x2xf32>, tensor<2x3x4xf32>, tensor<8x5xf32>
}

// -----

// Nothing is left of a reshape that each of its readers takes back.
// CHECK-LABEL: func.func @taken_back(
// CHECK-NOT: stablehlo.reshape
// CHECK: return
func.func @taken_back(%a: tensor<4x5x6xf32>) -> (tensor<4x5x6xf32>, tensor<4x5x6xf32>) {
  %0 = stablehlo.reshape %a : (tensor<4x5x6xf32>) -> tensor<20x6xf32>
  %1 = stablehlo.reshape %0 : (tensor<20x6xf32>) -> tensor<4x5x6xf32>
  %2 = stablehlo.negate %1 : tensor<4x5x6xf32>
  %3 = stablehlo.reshape %0 : (tensor<20x6xf32>) -> tensor<4x5x6xf32>
  return %2, %3 : tensor<4x5x6xf32>, tensor<4x5x6xf32>
}

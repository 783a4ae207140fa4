// RUN: spmd-opt %s --spmd-check-rules='all=true' --verify-diagnostics -o %t

// What is stored in few bits. Shares are numbers of which sums round nothing, wherever they are added.
func.func private @shares(%a: tensor<5x10x6xbf16>, %b: tensor<6x3xbf16>, %h: tensor<8x12xf16>, %f: tensor<3x5xf4E2M1FN>, %g: tensor<3x5xf8E5M2>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [2] x [0] : (tensor<5x10x6xbf16>, tensor<6x3xbf16>) -> tensor<5x10x3xf32>
  %1 = stablehlo.convert %h : (tensor<8x12xf16>) -> tensor<8x12xf32>
  %2 = stablehlo.multiply %f, %f : tensor<3x5xf4E2M1FN>
  %3 = stablehlo.multiply %g, %g : tensor<3x5xf8E5M2>
  return
}

// Constants are as the program would make them: sign bits fill the byte.
func.func private @signs(%x: tensor<5x5xi2>) {
  %low = stablehlo.constant dense<-2> : tensor<i2>
  %0 = stablehlo.pad %x, %low, low = [1, -1], high = [-1, 0], interior = [0, 1] : (tensor<5x5xi2>, tensor<i2>) -> tensor<5x8xi2>
  return
}

// RUN: spmd-opt %s --spmd-check-rules=all=true --verify-diagnostics -o %t

// Ops that make elements, and ops that move them.
func.func private @creation(%seed: tensor<2xui64>, %low: tensor<f32>, %high: tensor<f32>) {
  %0 = stablehlo.constant dense<[[1, 2, 3], [4, 5, 6], [7, 8, 9], [10, 11, 12], [13, 14, 15]]> : tensor<5x3xi32>
  %1 = stablehlo.constant dense<2.5> : tensor<5x3xf32>
  %2 = stablehlo.iota dim = 0 : tensor<5x3xi32>
  %3 = stablehlo.iota dim = 1 : tensor<5x3xbf16>
  %state, %bits = stablehlo.rng_bit_generator %seed, algorithm = THREE_FRY : (tensor<2xui64>) -> (tensor<2xui64>, tensor<7x4xui32>)
  %state_1, %bits_1 = stablehlo.rng_bit_generator %seed, algorithm = PHILOX : (tensor<2xui64>) -> (tensor<2xui64>, tensor<8x5xi16>)
  %shape = stablehlo.constant dense<[5, 3]> : tensor<2xi64>
  %4 = stablehlo.rng %low, %high, %shape, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<5x3xf32>
  return
}

func.func private @broadcasts(%x: tensor<5x3xf32>, %one: tensor<1x3xf32>, %s: tensor<f32>) {
  %0 = stablehlo.broadcast_in_dim %x, dims = [2, 0] : (tensor<5x3xf32>) -> tensor<3x4x5xf32>
  %1 = stablehlo.broadcast_in_dim %one, dims = [0, 1] : (tensor<1x3xf32>) -> tensor<5x3xf32>
  %2 = stablehlo.broadcast_in_dim %s, dims = [] : (tensor<f32>) -> tensor<5x3xf32>
  %3 = stablehlo.broadcast %x, sizes = [4, 2] : (tensor<5x3xf32>) -> tensor<4x2x5x3xf32>
  return
}

func.func private @transposes(%x: tensor<5x3x4xf32>) {
  %0 = stablehlo.transpose %x, dims = [2, 0, 1] : (tensor<5x3x4xf32>) -> tensor<4x5x3xf32>
  return
}

// Merged and split dims share factors; what remains is whole.
func.func private @reshapes(%x: tensor<4x6xf32>, %long: tensor<24xf32>, %uneven: tensor<6x10xf32>, %same: tensor<5x1x3xf32>) {
  %0 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<24xf32>
  %1 = stablehlo.reshape %long : (tensor<24xf32>) -> tensor<2x3x4xf32>
  %2 = stablehlo.reshape %x : (tensor<4x6xf32>) -> tensor<8x3xf32>
  %3 = stablehlo.reshape %uneven : (tensor<6x10xf32>) -> tensor<4x15xf32>
  %4 = stablehlo.reshape %same : (tensor<5x1x3xf32>) -> tensor<5x3xf32>
  %5 = stablehlo.reshape %same : (tensor<5x1x3xf32>) -> tensor<15xf32>
  return
}

func.func private @bitcasts(%x: tensor<5x3xf32>, %pairs: tensor<5x3x2xi16>) {
  %0 = stablehlo.bitcast_convert %x : (tensor<5x3xf32>) -> tensor<5x3xi32>
  %1 = stablehlo.bitcast_convert %x : (tensor<5x3xf32>) -> tensor<5x3x4xui8>
  %2 = stablehlo.bitcast_convert %pairs : (tensor<5x3x2xi16>) -> tensor<5x3xi32>
  return
}

func.func private @windows_of_one_row(%x: tensor<11x7xi32>, %y: tensor<5x7xi32>, %s: tensor<i32>) {
  %0 = stablehlo.reverse %x, dims = [0, 1] : tensor<11x7xi32>
  %1 = stablehlo.slice %x [1:9:2, 3:6] : (tensor<11x7xi32>) -> tensor<4x3xi32>
  %2 = stablehlo.slice %x [6:11, 0:7] : (tensor<11x7xi32>) -> tensor<5x7xi32>
  %3 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<11x7xi32>, tensor<5x7xi32>) -> tensor<16x7xi32>
  %4 = stablehlo.pad %x, %s, low = [1, -1], high = [-2, 3], interior = [0, 0] : (tensor<11x7xi32>, tensor<i32>) -> tensor<10x9xi32>
  %5 = stablehlo.pad %y, %s, low = [1, 0], high = [2, 0], interior = [2, 1] : (tensor<5x7xi32>, tensor<i32>) -> tensor<16x13xi32>
  return
}

func.func private @barriers(%x: tensor<5x3xf32>, %y: tensor<4xi32>) {
  %0:2 = stablehlo.optimization_barrier %x, %y : tensor<5x3xf32>, tensor<4xi32>
  return
}

// RUN: spmd-opt %s --spmd-check-rules=all=true --verify-diagnostics -o %t

// Products: contracted dims leave shares of sums, spatial dims are read through windows.
func.func private @dots(%a: tensor<5x7xf32>, %b: tensor<7x6xf32>, %v: tensor<7xf32>, %l: tensor<3x5x7xi32>, %r: tensor<7x3x2xi32>) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<5x7xf32>, tensor<7x6xf32>) -> tensor<5x6xf32>
  %1 = stablehlo.dot_general %l, %r, batching_dims = [0] x [1], contracting_dims = [2] x [0] : (tensor<3x5x7xi32>, tensor<7x3x2xi32>) -> tensor<3x5x2xi32>
  %2 = stablehlo.dot_general %a, %v, contracting_dims = [] x [] : (tensor<5x7xf32>, tensor<7xf32>) -> tensor<5x7x7xf32>
  %3 = stablehlo.dot %a, %b : (tensor<5x7xf32>, tensor<7x6xf32>) -> tensor<5x6xf32>
  %4 = stablehlo.dot %v, %v : (tensor<7xf32>, tensor<7xf32>) -> tensor<f32>
  %5 = stablehlo.einsum %a, %b, config = "ab,bc->ca" : (tensor<5x7xf32>, tensor<7x6xf32>) -> tensor<6x5xf32>
  %6 = stablehlo.unary_einsum %a, config = "ab->b" : (tensor<5x7xf32>) -> tensor<7xf32>
  return
}

func.func private @convolutions(%x: tensor<2x7x5x3xf32>, %k: tensor<3x2x3x4xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {pad = [[1, 1], [0, 0]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x7x5x3xf32>, tensor<3x2x3x4xf32>) -> tensor<2x7x4x4xf32>
  %1 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 1], pad = [[1, 0], [2, 1]], lhs_dilate = [1, 2], rhs_dilate = [2, 1], reverse = [true, false]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<2x7x5x3xf32>, tensor<3x2x3x4xf32>) -> tensor<2x2x11x4xf32>
  return
}

func.func private @grouped_convolutions(%x: tensor<3x5x6xf32>, %k: tensor<2x3x4xf32>, %d: tensor<2x1x12xf32>, %b: tensor<6x5x4xf32>, %kb: tensor<3x4x6xf32>) {
  %0 = stablehlo.convolution(%x, %k) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 2 : i64}
      : (tensor<3x5x6xf32>, tensor<2x3x4xf32>) -> tensor<3x4x4xf32>
  %1 = stablehlo.convolution(%x, %d) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {} {batch_group_count = 1 : i64, feature_group_count = 6 : i64}
      : (tensor<3x5x6xf32>, tensor<2x1x12xf32>) -> tensor<3x4x12xf32>
  %2 = stablehlo.convolution(%b, %kb) dim_numbers = [b, 0, f]x[0, i, o]->[b, 0, f],
      window = {} {batch_group_count = 2 : i64, feature_group_count = 1 : i64}
      : (tensor<6x5x4xf32>, tensor<3x4x6xf32>) -> tensor<3x3x6xf32>
  return
}

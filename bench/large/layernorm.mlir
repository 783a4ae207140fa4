// Each of 4096 rows of 4096 with mean 0 and variance 1, scaled and shifted.
module @layernorm {
  func.func public @main(%x: tensor<4096x4096xf32>, %scale: tensor<4096xf32>, %shift: tensor<4096xf32>) -> tensor<4096x4096xf32> {
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %count = stablehlo.constant dense<4096.0> : tensor<4096xf32>
    %epsilon = stablehlo.constant dense<1.0e-5> : tensor<4096xf32>
    %0 = stablehlo.reduce(%x init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<4096xf32>
    %mean = stablehlo.divide %0, %count : tensor<4096xf32>
    %1 = stablehlo.broadcast_in_dim %mean, dims = [0] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
    %2 = stablehlo.subtract %x, %1 : tensor<4096x4096xf32>
    %3 = stablehlo.multiply %2, %2 : tensor<4096x4096xf32>
    %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<4096x4096xf32>, tensor<f32>) -> tensor<4096xf32>
    %5 = stablehlo.divide %4, %count : tensor<4096xf32>
    %6 = stablehlo.add %5, %epsilon : tensor<4096xf32>
    %7 = stablehlo.rsqrt %6 : tensor<4096xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
    %9 = stablehlo.multiply %2, %8 : tensor<4096x4096xf32>
    %10 = stablehlo.broadcast_in_dim %scale, dims = [1] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
    %11 = stablehlo.multiply %9, %10 : tensor<4096x4096xf32>
    %12 = stablehlo.broadcast_in_dim %shift, dims = [1] : (tensor<4096xf32>) -> tensor<4096x4096xf32>
    %13 = stablehlo.add %11, %12 : tensor<4096x4096xf32>
    return %13 : tensor<4096x4096xf32>
  }
}

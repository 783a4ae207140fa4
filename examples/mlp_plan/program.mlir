// Two layers as PyTorch computes them: x W^T + b, the weights [out, in]. No word of sharding.
func.func @main(%x: tensor<8x10xf32>, %in_proj.weight: tensor<32x10xf32>, %in_proj.bias: tensor<32xf32>,
                %out_proj.weight: tensor<5x32xf32>, %out_proj.bias: tensor<5xf32>) -> tensor<8x5xf32> {
  %zero = stablehlo.constant dense<0.0> : tensor<8x32xf32>
  %0 = stablehlo.transpose %in_proj.weight, dims = [1, 0] : (tensor<32x10xf32>) -> tensor<10x32xf32>
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [0] : (tensor<8x10xf32>, tensor<10x32xf32>) -> tensor<8x32xf32>
  %2 = stablehlo.broadcast_in_dim %in_proj.bias, dims = [1] : (tensor<32xf32>) -> tensor<8x32xf32>
  %3 = stablehlo.add %1, %2 : tensor<8x32xf32>
  %4 = stablehlo.maximum %3, %zero : tensor<8x32xf32>
  %5 = stablehlo.transpose %out_proj.weight, dims = [1, 0] : (tensor<5x32xf32>) -> tensor<32x5xf32>
  %6 = stablehlo.dot_general %4, %5, contracting_dims = [1] x [0] : (tensor<8x32xf32>, tensor<32x5xf32>) -> tensor<8x5xf32>
  %7 = stablehlo.broadcast_in_dim %out_proj.bias, dims = [1] : (tensor<5xf32>) -> tensor<8x5xf32>
  %8 = stablehlo.add %6, %7 : tensor<8x5xf32>
  return %8 : tensor<8x5xf32>
}

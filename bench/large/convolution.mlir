// 64 images of 56 x 56 by 64 features, 3x3 windows.
module @convolution {
  func.func public @main(%images: tensor<64x56x56x64xf32>, %kernel: tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32> {
    %0 = stablehlo.convolution(%images, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<64x56x56x64xf32>, tensor<3x3x64x64xf32>) -> tensor<64x56x56x64xf32>
    return %0 : tensor<64x56x56x64xf32>
  }
}

// A product of f32 matrices of 1024 x 1024.
module @dot {
  func.func public @main(%lhs: tensor<1024x1024xf32>, %rhs: tensor<1024x1024xf32>) -> tensor<1024x1024xf32> {
    %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1024x1024xf32>, tensor<1024x1024xf32>) -> tensor<1024x1024xf32>
    return %0 : tensor<1024x1024xf32>
  }
}

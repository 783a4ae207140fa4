// A product of bf16 matrices of 1024 x 1024.
module @dot_bf16 {
  func.func public @main(%lhs: tensor<1024x1024xbf16>, %rhs: tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16> {
    %0 = stablehlo.dot_general %lhs, %rhs, contracting_dims = [1] x [0] : (tensor<1024x1024xbf16>, tensor<1024x1024xbf16>) -> tensor<1024x1024xbf16>
    return %0 : tensor<1024x1024xbf16>
  }
}

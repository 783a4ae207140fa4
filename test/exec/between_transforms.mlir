// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=1, "y"=8]>/' %s | spmd-run -

// A convolution by transforms along the split dim, of lines that do not divide; and one whose product others read, too.
sdy.mesh @mesh = MESH

func.func public @main(
    %a: tensor<3x7x20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
    %k: tensor<7x20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>},
    %b: tensor<9x14xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>})
    -> (tensor<3x7x20xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
        tensor<9x14xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>},
        tensor<9x14xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0 = stablehlo.fft %a, type = RFFT, length = [20] : (tensor<3x7x20xf32>) -> tensor<3x7x11xcomplex<f32>>
  %1 = stablehlo.fft %k, type = RFFT, length = [20] : (tensor<7x20xf32>) -> tensor<7x11xcomplex<f32>>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1, 2] : (tensor<7x11xcomplex<f32>>) -> tensor<3x7x11xcomplex<f32>>
  %3 = stablehlo.multiply %0, %2 : tensor<3x7x11xcomplex<f32>>
  %4 = stablehlo.add %3, %3 : tensor<3x7x11xcomplex<f32>>
  %5 = stablehlo.fft %4, type = IRFFT, length = [20] : (tensor<3x7x11xcomplex<f32>>) -> tensor<3x7x20xf32>
  %6 = stablehlo.fft %b, type = FFT, length = [14] : (tensor<9x14xcomplex<f32>>) -> tensor<9x14xcomplex<f32>>
  %7 = stablehlo.multiply %6, %b : tensor<9x14xcomplex<f32>>
  %8 = stablehlo.fft %7, type = IFFT, length = [14] : (tensor<9x14xcomplex<f32>>) -> tensor<9x14xcomplex<f32>>
  return %5, %8, %7 : tensor<3x7x20xf32>, tensor<9x14xcomplex<f32>>, tensor<9x14xcomplex<f32>>
}

// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Transforms along one, two and all of the split dims, each of the four kinds.
sdy.mesh @mesh = MESH

func.func public @main(
    %a: tensor<16x15xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<3x8x10x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {"y"}]>},
    %c: tensor<40xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>},
    %d: tensor<5x9x6xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>})
    -> (tensor<16x15xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, tensor<16x15xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<3x8x10x7xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {"y"}]>}, tensor<3x8x10x12xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {"y"}]>},
        tensor<40xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}, tensor<5x9x4xcomplex<f64>>, tensor<5x9x6xf64> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}, {}]>}) {
  %complex = stablehlo.convert %a : (tensor<16x15xf32>) -> tensor<16x15xcomplex<f32>>
  %0 = stablehlo.fft %complex, type = FFT, length = [16, 15] : (tensor<16x15xcomplex<f32>>) -> tensor<16x15xcomplex<f32>>
  %1 = stablehlo.fft %0, type = IFFT, length = [16, 15] : (tensor<16x15xcomplex<f32>>) -> tensor<16x15xcomplex<f32>>
  %2 = stablehlo.fft %b, type = RFFT, length = [8, 10, 12] : (tensor<3x8x10x12xf32>) -> tensor<3x8x10x7xcomplex<f32>>
  %3 = stablehlo.fft %2, type = IRFFT, length = [8, 10, 12] : (tensor<3x8x10x7xcomplex<f32>>) -> tensor<3x8x10x12xf32>
  %line = stablehlo.convert %c : (tensor<40xf32>) -> tensor<40xcomplex<f32>>
  %4 = stablehlo.fft %line, type = FFT, length = [40] : (tensor<40xcomplex<f32>>) -> tensor<40xcomplex<f32>>
  %5 = stablehlo.fft %d, type = RFFT, length = [5, 9, 6] : (tensor<5x9x6xf64>) -> tensor<5x9x4xcomplex<f64>>
  %6 = stablehlo.fft %5, type = IRFFT, length = [5, 9, 6] : (tensor<5x9x4xcomplex<f64>>) -> tensor<5x9x6xf64>
  return %0, %1, %2, %3, %4, %5, %6 : tensor<16x15xcomplex<f32>>, tensor<16x15xcomplex<f32>>, tensor<3x8x10x7xcomplex<f32>>, tensor<3x8x10x12xf32>, tensor<40xcomplex<f32>>, tensor<5x9x4xcomplex<f64>>, tensor<5x9x6xf64>
}

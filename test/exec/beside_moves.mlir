// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Ops beside moves, which run where their data comes from or goes to: what is padded and cut around transforms, a product
// that is gathered, a reduction of what is turned; and a matrix that a loop hands on as it came.
sdy.mesh @mesh = MESH

func.func public @main(
    %a: tensor<10x30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
    %b: tensor<18x18xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %c: tensor<18xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<10x29xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}, tensor<18x18xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x", "y"}]>},
        tensor<18xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<30xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.pad %a, %zero, low = [0, 3], high = [0, 4], interior = [0, 0] : (tensor<10x30xf32>, tensor<f32>) -> tensor<10x37xf32>
  %1 = stablehlo.fft %0, type = RFFT, length = [37] : (tensor<10x37xf32>) -> tensor<10x19xcomplex<f32>>
  %2 = stablehlo.fft %1, type = IRFFT, length = [37] : (tensor<10x19xcomplex<f32>>) -> tensor<10x37xf32>
  %3 = stablehlo.slice %2 [0:10, 5:34] : (tensor<10x37xf32>) -> tensor<10x29xf32>
  %4 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : (tensor<18x18xf32>, tensor<18x18xf32>) -> tensor<18x18xf32>
  %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<18x18xf32>) -> tensor<18x18xf32>
  %first = stablehlo.constant dense<0> : tensor<i32>
  %6:3 = stablehlo.while(%m = %b, %v = %c, %i = %first) : tensor<18x18xf32>, tensor<18xf32>, tensor<i32>
  cond {
    %last = stablehlo.constant dense<3> : tensor<i32>
    %8 = stablehlo.compare LT, %i, %last : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %8 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %8 = stablehlo.dot_general %m, %v, contracting_dims = [1] x [0] : (tensor<18x18xf32>, tensor<18xf32>) -> tensor<18xf32>
    %9 = stablehlo.tanh %8 : tensor<18xf32>
    %10 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %m, %9, %10 : tensor<18x18xf32>, tensor<18xf32>, tensor<i32>
  }
  %7 = stablehlo.reduce(%a init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<10x30xf32>, tensor<f32>) -> tensor<30xf32>
  return %3, %5, %6#1, %7 : tensor<10x29xf32>, tensor<18x18xf32>, tensor<18xf32>, tensor<30xf32>
}

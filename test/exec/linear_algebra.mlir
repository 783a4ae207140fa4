// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -

// Batches of matrices and of lines, split evenly and not; the matrices themselves stay whole.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<5x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}, %b: tensor<5x3x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {"y"}]>},
                       %z: tensor<5x4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>})
    -> (tensor<5x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}, {"x"}]>}, tensor<5x3x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, tensor<5x7x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>},
        tensor<5x4x4xcomplex<f32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}, tensor<5x4x6xf32>) {
  // A A^T + 64 I is positive definite.
  %square = stablehlo.dot_general %a, %a, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<5x3x3xf32>, tensor<5x3x3xf32>) -> tensor<5x3x3xf32>
  %rows = stablehlo.iota dim = 1 : tensor<5x3x3xi32>
  %columns = stablehlo.iota dim = 2 : tensor<5x3x3xi32>
  %diagonal = stablehlo.compare EQ, %rows, %columns : (tensor<5x3x3xi32>, tensor<5x3x3xi32>) -> tensor<5x3x3xi1>
  %large = stablehlo.constant dense<64.0> : tensor<5x3x3xf32>
  %small = stablehlo.constant dense<0.0> : tensor<5x3x3xf32>
  %shift = stablehlo.select %diagonal, %large, %small : tensor<5x3x3xi1>, tensor<5x3x3xf32>
  %definite = stablehlo.add %square, %shift : tensor<5x3x3xf32>
  %factor = stablehlo.cholesky %definite, lower = true : tensor<5x3x3xf32>
  %left = "stablehlo.triangular_solve"(%factor, %b) <{left_side = true, lower = true, transpose_a = #stablehlo<transpose NO_TRANSPOSE>, unit_diagonal = false}> : (tensor<5x3x3xf32>, tensor<5x3x7xf32>) -> tensor<5x3x7xf32>
  %turned = stablehlo.transpose %b, dims = [0, 2, 1] : (tensor<5x3x7xf32>) -> tensor<5x7x3xf32>
  %right = "stablehlo.triangular_solve"(%factor, %turned) <{left_side = false, lower = true, transpose_a = #stablehlo<transpose TRANSPOSE>, unit_diagonal = false}> : (tensor<5x3x3xf32>, tensor<5x7x3xf32>) -> tensor<5x7x3xf32>
  %spectrum = stablehlo.fft %z, type = RFFT, length = [6] : (tensor<5x4x6xf32>) -> tensor<5x4x4xcomplex<f32>>
  %back = stablehlo.fft %spectrum, type = IRFFT, length = [6] : (tensor<5x4x4xcomplex<f32>>) -> tensor<5x4x6xf32>
  return %factor, %left, %right, %spectrum, %back : tensor<5x3x3xf32>, tensor<5x3x7xf32>, tensor<5x7x3xf32>, tensor<5x4x4xcomplex<f32>>, tensor<5x4x6xf32>
}

// RUN: sed 's/MESH/<["x"=2, "y"=3]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=1, "y"=5]>/' %s | spmd-run -

// An orthogonal factor that is kept as reflectors, on either side of a matrix; systems that are tridiagonal, with their
// right sides. Batches split, and so do the columns or rows that a factor leaves apart.
// CHECK: collectives none
// CHECK: equal: {{ *}}yes
sdy.mesh @mesh = MESH

func.func public @main(
    %a: tensor<5x4x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
    %c: tensor<5x4x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
    %r: tensor<5x7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>},
    %d: tensor<5x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<5x4x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, tensor<5x7x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>},
        tensor<5x4x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, tensor<5x4x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}) {
  %v, %tau = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<5x4x3xf32>) -> (tensor<5x4x3xf32>, tensor<5x3xf32>)
  %left = stablehlo.custom_call @lapack_sormqr_ffi(%v, %tau, %c) {mhlo.backend_config = {left = true, transpose = true}}
      : (tensor<5x4x3xf32>, tensor<5x3xf32>, tensor<5x4x7xf32>) -> tensor<5x4x7xf32>
  %right = stablehlo.custom_call @lapack_sormqr_ffi(%v, %tau, %r) {mhlo.backend_config = {left = false, transpose = false}}
      : (tensor<5x4x3xf32>, tensor<5x3xf32>, tensor<5x7x4xf32>) -> tensor<5x7x4xf32>
  %four = stablehlo.constant dense<4.0> : tensor<5x4xf32>
  %beside = stablehlo.tanh %d : tensor<5x4xf32>
  %main = stablehlo.add %beside, %four : tensor<5x4xf32>
  %solved:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%beside, %main, %beside, %c) {mhlo.backend_config = {}}
      : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4x7xf32>) -> (tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4x7xf32>, tensor<5xi32>)
  %perturbed = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%beside, %main, %beside, %c) {mhlo.backend_config = {}}
      : (tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4xf32>, tensor<5x4x7xf32>) -> tensor<5x4x7xf32>
  return %left, %right, %solved#3, %perturbed : tensor<5x4x7xf32>, tensor<5x7x4xf32>, tensor<5x4x7xf32>, tensor<5x4x7xf32>
}

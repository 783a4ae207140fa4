// RUN: spmd-opt %s --spmd-check-rules=all=true --verify-diagnostics -o %t

// Copies of what they take.
func.func private @copies(%x: tensor<5x4xf32>) {
  %0 = stablehlo.custom_call @annotate_device_placement(%x) : (tensor<5x4xf32>) -> tensor<5x4xf32>
  %1 = stablehlo.custom_call @LayoutConstraint(%x) : (tensor<5x4xf32>) -> tensor<5x4xf32>
  %2 = stablehlo.custom_call @MoveToDevice(%x) : (tensor<5x4xf32>) -> tensor<5x4xf32>
  %3 = stablehlo.custom_call @MoveToHost(%x) : (tensor<5x4xf32>) -> tensor<5x4xf32>
  return
}

// Batches of matrices; of systems of equations the right sides, too. Calls of GPUs and TPUs compute the same.
func.func private @matrices(%a: tensor<5x3x3xf32>, %b: tensor<5x3x7xf32>, %tau: tensor<5x3xf32>, %c: tensor<5x7x3xf32>) {
  %0:2 = stablehlo.custom_call @lapack_spotrf_ffi(%a) {mhlo.backend_config = {uplo = 76 : ui8}} : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5xi32>)
  %1:3 = stablehlo.custom_call @lapack_sgetrf_ffi(%a) : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5x3xi32>, tensor<5xi32>)
  %2:2 = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5x3xf32>)
  %3 = stablehlo.custom_call @lapack_sorgqr_ffi(%a, %tau) : (tensor<5x3x3xf32>, tensor<5x3xf32>) -> tensor<5x3x3xf32>
  %4 = stablehlo.custom_call @lapack_strsm_ffi(%a, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}} : (tensor<5x3x3xf32>, tensor<5x3x7xf32>) -> tensor<5x3x7xf32>
  %left = stablehlo.custom_call @lapack_sormqr_ffi(%a, %tau, %b) {mhlo.backend_config = {left = true, transpose = true}} : (tensor<5x3x3xf32>, tensor<5x3xf32>, tensor<5x3x7xf32>) -> tensor<5x3x7xf32>
  %right = stablehlo.custom_call @lapack_sormqr_ffi(%a, %tau, %c) {mhlo.backend_config = {left = false, transpose = false}} : (tensor<5x3x3xf32>, tensor<5x3xf32>, tensor<5x7x3xf32>) -> tensor<5x7x3xf32>
  %solved:5 = stablehlo.custom_call @lapack_sgtsv_ffi(%tau, %tau, %tau, %b) : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3x7xf32>) -> (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3x7xf32>, tensor<5xi32>)
  %perturbed = stablehlo.custom_call @tridiagonal_solve_perturbed_ffi(%tau, %tau, %tau, %b) : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3x7xf32>) -> tensor<5x3x7xf32>
  %5:3 = stablehlo.custom_call @lapack_ssyevd_ffi(%a) {mhlo.backend_config = {mode = 86 : ui8, uplo = 76 : ui8}} : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5x3xf32>, tensor<5xi32>)
  %6:2 = stablehlo.custom_call @cusolver_potrf_ffi(%a) : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5xi32>)
  %7:2 = stablehlo.custom_call @Qr(%a) : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5x3xf32>)
  %8 = stablehlo.custom_call @cusparse_gtsv2_ffi(%tau, %tau, %tau, %b) : (tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3xf32>, tensor<5x3x7xf32>) -> tensor<5x3x7xf32>
  return
}

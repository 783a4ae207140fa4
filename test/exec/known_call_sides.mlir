// RUN: sed 's/MESH/<["x"=4]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3]>/' %s | spmd-run -

// Two solves that differ in their side alone: the columns of one's right sides split, the rows of the other's.
// CHECK: all_to_all
// CHECK: equal: {{ *}}yes
sdy.mesh @mesh = MESH

func.func public @main(%b: tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>})
    -> (tensor<6x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %triangle = stablehlo.constant dense<2.0> : tensor<6x6xf32>
  %0 = stablehlo.custom_call @lapack_strsm_ffi(%triangle, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 84 : ui8, uplo = 76 : ui8}}
      : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
  %1 = stablehlo.custom_call @lapack_strsm_ffi(%triangle, %0) {mhlo.backend_config = {diag = 78 : ui8, side = 82 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}}
      : (tensor<6x6xf32>, tensor<6x6xf32>) -> tensor<6x6xf32>
  return %1 : tensor<6x6xf32>
}

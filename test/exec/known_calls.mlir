// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=3, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-opt - --spmd-check-rules=all=true --verify-diagnostics -o %t

// Custom calls that frontends emit: matrices split by batch, right sides too; what says where a value is kept moves nothing.
// CHECK: collectives none
sdy.mesh @mesh = MESH

func.func public @main(
    %a: tensor<5x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %b: tensor<5x3x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
    %v: tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
    -> (tensor<5x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, tensor<5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<5x3x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
        tensor<5x3xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, tensor<5x3x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, tensor<5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %factors, %pivots, %info = stablehlo.custom_call @lapack_sgetrf_ffi(%a) {mhlo.backend_config = {}, operand_layouts = [dense<[1, 2, 0]> : tensor<3xindex>],
      result_layouts = [dense<[1, 2, 0]> : tensor<3xindex>, dense<[1, 0]> : tensor<2xindex>, dense<0> : tensor<1xindex>]}
      : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5x3xi32>, tensor<5xi32>)
  %q, %tau = stablehlo.custom_call @lapack_sgeqrf_ffi(%a) {mhlo.backend_config = {}} : (tensor<5x3x3xf32>) -> (tensor<5x3x3xf32>, tensor<5x3xf32>)
  %eye = stablehlo.constant dense<[[[2.0, 0.0, 0.0], [1.0, 4.0, 0.0], [0.5, 1.0, 1.0]], [[1.0, 0.0, 0.0], [3.0, 2.0, 0.0], [0.5, 1.0, 1.0]], [[2.0, 0.0, 0.0], [1.0, 4.0, 0.0], [0.0, 1.0, 1.0]], [[2.0, 0.0, 0.0], [1.0, 4.0, 0.0], [0.5, 1.0, 8.0]], [[4.0, 0.0, 0.0], [1.0, 4.0, 0.0], [0.5, 1.0, 1.0]]]> : tensor<5x3x3xf32>
  %solved = stablehlo.custom_call @lapack_strsm_ffi(%eye, %b) {mhlo.backend_config = {diag = 78 : ui8, side = 76 : ui8, trans_x = 78 : ui8, uplo = 76 : ui8}}
      : (tensor<5x3x3xf32>, tensor<5x3x7xf32>) -> tensor<5x3x7xf32>
  %placed = stablehlo.custom_call @annotate_device_placement(%v) {has_side_effect = true} : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %kept = stablehlo.custom_call @LayoutConstraint(%placed) : (tensor<5x7xf32>) -> tensor<5x7xf32>
  %function = stablehlo.custom_call @mhlo.erf(%kept) {mhlo.attributes = {}, mhlo.version = 1 : i64} : (tensor<5x7xf32>) -> tensor<5x7xf32>
  return %factors, %info, %q, %pivots, %solved, %function : tensor<5x3x3xf32>, tensor<5xi32>, tensor<5x3x3xf32>, tensor<5x3xi32>, tensor<5x3x7xf32>, tensor<5x7xf32>
}

// RUN: spmd-opt %s --spmd-pipeline=memory-limit=5000 -o - | FileCheck %s
// RUN: spmd-run %s --memory-limit=5000 | FileCheck %s --check-prefix=RUN-FITS
// RUN-FITS: equal: yes
// CHECK: stablehlo.all_gather
// RUN: not spmd-opt %s --spmd-pipeline=memory-limit=4000 2>&1 | FileCheck %s --check-prefix=ABOVE
// RUN: not spmd-run %s --memory-limit=4000 2>&1 | FileCheck %s --check-prefix=ABOVE
// ABOVE: memory-limit-invalid.mlir:[[# @LINE + 13]]:8: error: a device holds 4096 bytes at once at 'dot_general', more than memory-limit=4000; split what is largest
// ABOVE: memory-limit-invalid.mlir:[[# @LINE + 10]]:5: note: 2048 bytes: argument 0 of @main; to split it further, write: %arg0: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "more"}, {}]>}
// ABOVE: memory-limit-invalid.mlir:[[# @LINE + 11]]:8: note: 1024 bytes: result of 'all_gather'; spmd-run --why tells what it is gathered for
// ABOVE: note: 512 bytes: result of 'dot_general'
// ABOVE: memory-limit-invalid.mlir:[[# @LINE + 8]]:5: note: 512 bytes: argument 1 of @main; to split it further, write: %arg1: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data", "more"}, {}]>}
// RUN: not spmd-opt %s --spmd-pipeline=memory-limit=much 2>&1 | FileCheck %s --check-prefix=NUMBER
// NUMBER: memory-limit option: 'much' value invalid

sdy.mesh @mesh = <["data"=4, "more"=2]>

func.func @main(
    %x: tensor<64x32xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>},
    %w: tensor<32x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"data"}, {}]>}) -> tensor<64x16xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x32xf32>, tensor<32x16xf32>) -> tensor<64x16xf32>
  return %0 : tensor<64x16xf32>
}

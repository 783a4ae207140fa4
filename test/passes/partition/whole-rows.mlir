// Replicated rows, of an argument or a constant, are concatenated with sharded rows. Each device reads the replicated rows
// locally; they are not cut and gathered again. That holds also where the last devices need none of them.
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-run %s --json=%t.json | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes
//
// Only rows of the sharded operand move, at most as many bytes as its gather sends.
// RUN: %python %S/../../at_most.py %t.json wire_bytes_per_device 280

sdy.mesh @mesh = <["x"=8]>

// CHECK-LABEL: func.func @main(
// CHECK-COUNT-1: stablehlo.all_gather
// CHECK-NOT: stablehlo.all_gather
// CHECK: return
func.func @main(%x: tensor<16x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %z: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %w: tensor<19x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<23x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<35x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<24x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %ones = stablehlo.constant dense<[[1.0, 2.0, 3.0, 4.0, 5.0], [6.0, 7.0, 8.0, 9.0, 1.0], [0.0, 7.0, 8.0, 9.0, 1.0], [6.0, 7.0, 5.0, 9.0, 1.0], [6.0, 4.0, 8.0, 9.0, 1.0], [6.0, 7.0, 8.0, 9.0, 3.0], [6.0, 2.0, 8.0, 9.0, 1.0], [1.0, 7.0, 8.0, 9.0, 1.0]]> : tensor<8x5xf32>
  %0 = stablehlo.concatenate %x, %z, dim = 0 : (tensor<16x5xf32>, tensor<7x5xf32>) -> tensor<23x5xf32>
  %1 = stablehlo.concatenate %w, %x, dim = 0 : (tensor<19x5xf32>, tensor<16x5xf32>) -> tensor<35x5xf32>
  %2 = stablehlo.concatenate %x, %ones, dim = 0 : (tensor<16x5xf32>, tensor<8x5xf32>) -> tensor<24x5xf32>
  return %0, %1, %2 : tensor<23x5xf32>, tensor<35x5xf32>, tensor<24x5xf32>
}

// Rows that every device holds are read where they are, not cut up and gathered again: of an argument, or a
// constant, that lies whole; also where the last devices have none of them.
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-run %s --json=%t.json | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes
//
// Rows of the one operand that is split are all that travels, and no more than it takes to gather it.
// RUN: %python %S/../../at_most.py %t.json wire_bytes_per_device 280

sdy.mesh @mesh = <["x"=8]>

// CHECK-LABEL: func.func @main(
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

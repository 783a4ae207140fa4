// RUN: not spmd-opt %s --spmd-pipeline 2>&1 | FileCheck %s
// A permute lists its devices: a table of more than some millions is refused.
// CHECK: many-devices-invalid.mlir:[[# @LINE + 4]]:{{[0-9]+}}: error: moves data among 67108864 devices by a permute, which lists each, and at most 4194304; use smaller axes, or gather the data first
// CHECK-NOT: error
sdy.mesh @mesh = <["x"=16777216, "y"=4]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  return %x : tensor<8xf32>
}

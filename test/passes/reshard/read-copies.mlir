// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s
// RUN: spmd-run %s --json=%t.json | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes
// RUN: %python %S/../../at_most.py %t.json wire_bytes_per_device 13312

sdy.mesh @mesh = <["b"=2, "y"=2]>

// Both products read one copy of %x, which is split along "b" alone. The second product could read %x in its own layout if %q
// moved there; that would send more bytes.
// CHECK-LABEL: func.func @main(
// CHECK: %[[Q:.+]] = sdy.reshard %arg0 <@mesh, [{"b"}, {"y"}, {}]>
// CHECK: %[[X:.+]] = sdy.reshard %arg1 <@mesh, [{"b"}, {}, {}]>
// CHECK: stablehlo.dot_general %[[Q]], %[[X]]
// CHECK: %[[COLUMNS:.+]] = sdy.reshard %arg0 <@mesh, [{"b"}, {}, {"y"}]>
// CHECK: stablehlo.dot_general %[[COLUMNS]], %[[X]]
func.func @main(
    %q: tensor<8x64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {}, {}]>},
    %x: tensor<8x64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"b", "y"}, {}]>}) -> (
    tensor<8x64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"b"}, {"y"}, {}]>},
    tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %q, %x, batching_dims = [0] x [0], contracting_dims = [2] x [2] : (tensor<8x64x16xf32>, tensor<8x64x16xf32>) -> tensor<8x64x64xf32>
  %1 = stablehlo.dot_general %q, %x, contracting_dims = [0, 1] x [0, 1] : (tensor<8x64x16xf32>, tensor<8x64x16xf32>) -> tensor<16x16xf32>
  return %0, %1 : tensor<8x64x64xf32>, tensor<16x16xf32>
}

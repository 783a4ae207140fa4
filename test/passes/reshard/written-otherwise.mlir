// RUN: spmd-opt %s --spmd-pipeline -o %t.out --split-input-file 2>&1 | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false -o %t.out --split-input-file 2>&1 | FileCheck %s
// What is written in place and comes with another sharding is brought to that of the buffer, with a warning.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK: warning: what is written in place comes as [{}, {}], unreduced={"x"}, and moves to [{}, {"x"}], as what it updates lies
// CHECK: note: it is made here
func.func @main(%b: !spmd.buffer<tensor<6x4xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %l: tensor<6x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %r: tensor<4x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<6x4xi32>, tensor<4x4xi32>) -> tensor<6x4xi32>
  spmd.store %0, %b : !spmd.buffer<tensor<6x4xi32>>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

// An update that lies as the buffer does is not worth a word.
// CHECK-NOT: warning
func.func @main(%b: !spmd.buffer<tensor<6x4xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %v: tensor<6x4xi32>) {
  %0 = stablehlo.add %v, %v : tensor<6x4xi32>
  spmd.store %0, %b : !spmd.buffer<tensor<6x4xi32>>
  return
}

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

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

// A sum of which each device has a share is added up before it is added, as the buffer cannot lie so.
// CHECK: warning: what updates in place comes as [{}, {}], unreduced={"x"}, shares of a sum, and is added up, as what it updates lies as [{"x"}, {}]
// CHECK: note: it is made here
func.func @main(%b: !spmd.buffer<tensor<6x4xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %l: tensor<6x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}, %r: tensor<4x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = spmd.load %b : !spmd.buffer<tensor<6x4xi32>>
  %1 = stablehlo.dot_general %l, %r, contracting_dims = [1] x [0] : (tensor<6x4xi32>, tensor<4x4xi32>) -> tensor<6x4xi32>
  %2 = stablehlo.add %0, %1 : tensor<6x4xi32>
  spmd.store %2, %b : !spmd.buffer<tensor<6x4xi32>>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

// Nor is a word said of what lies whole, or otherwise, before it is added.
// CHECK-NOT: warning
func.func @main(%b: !spmd.buffer<tensor<6x4xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %v: tensor<6x4xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  %0 = spmd.load %b : !spmd.buffer<tensor<6x4xi32>>
  %1 = stablehlo.add %0, %v : tensor<6x4xi32>
  spmd.store %1, %b : !spmd.buffer<tensor<6x4xi32>>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=2]>

// An op that runs along the split dim has the buffer moved to another dim or gathered, and its result goes back.
// CHECK: warning: what is updated in place lies as [{"x"}, {}], and moves to [{{.*}}] and back, as the op that updates it wants it
// CHECK: note: the op is here
func.func @main(%b: !spmd.buffer<tensor<5x5xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = spmd.load %b : !spmd.buffer<tensor<5x5xf32>>
  %1 = stablehlo.cholesky %0, lower = true : tensor<5x5xf32>
  spmd.store %1, %b : !spmd.buffer<tensor<5x5xf32>>
  return
}

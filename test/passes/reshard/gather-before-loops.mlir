// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard" | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard hoist=14000" | FileCheck %s --check-prefix=LITTLE
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %s --spmd-pipeline="hoist=14000" -o %t.mlir
// RUN: spmd-run %s --seed=5 --out %t.results
// RUN: spmd-run %t.mlir --seed=5 --expect %t.results --rtol=0 --atol=0 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

sdy.mesh @mesh = <["x"=8]>

// Chunks of rows are read one after the other. Each would be exchanged, so that all devices have a part of each chunk, and
// gathered in its turn; together they take as many bytes as the whole, which is gathered before instead. A device then
// holds 14336 bytes more of it.
// CHECK-LABEL: func.func @main(
// CHECK: %[[CHUNKS:.*]] = stablehlo.reshape
// CHECK: %[[WHOLE:.*]] = sdy.reshard %[[CHUNKS]] <@mesh, [{}, {}, {}]> : tensor<8x32x16xf32>
// CHECK-NOT: sdy.reshard
// CHECK: stablehlo.while(%{{.*}} = %[[WHOLE]],
// CHECK-NOT: sdy.reshard
// CHECK: return

// LITTLE-LABEL: func.func @main(
// LITTLE: sdy.reshard {{.*}} <@mesh, [{}, {"x"}, {}]> : tensor<8x32x16xf32>
// LITTLE: stablehlo.while
// LITTLE: stablehlo.dynamic_slice
// LITTLE: sdy.reshard
// LITTLE: return
func.func @main(%q: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %k: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<256xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %chunks = stablehlo.reshape %k : (tensor<256x16xf32>) -> tensor<8x32x16xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %sum = stablehlo.constant dense<0.0> : tensor<256xf32>
  %r:4 = stablehlo.while(%c = %chunks, %p = %q, %i = %zero, %s = %sum) : tensor<8x32x16xf32>, tensor<256x16xf32>, tensor<i32>, tensor<256xf32>
  cond {
    %eight = stablehlo.constant dense<8> : tensor<i32>
    %goes = stablehlo.compare LT, %i, %eight, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %goes : tensor<i1>
  } do {
    %none = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %init = stablehlo.constant dense<0.0> : tensor<f32>
    %slice = stablehlo.dynamic_slice %c, %i, %none, %none, sizes = [1, 32, 16] : (tensor<8x32x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x32x16xf32>
    %chunk = stablehlo.reshape %slice : (tensor<1x32x16xf32>) -> tensor<32x16xf32>
    %scores = stablehlo.dot_general %p, %chunk, contracting_dims = [1] x [1] : (tensor<256x16xf32>, tensor<32x16xf32>) -> tensor<256x32xf32>
    %tanh = stablehlo.tanh %scores : tensor<256x32xf32>
    %rows = stablehlo.reduce(%tanh init: %init) applies stablehlo.add across dimensions = [1] : (tensor<256x32xf32>, tensor<f32>) -> tensor<256xf32>
    %more = stablehlo.add %s, %rows : tensor<256xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %c, %p, %next, %more : tensor<8x32x16xf32>, tensor<256x16xf32>, tensor<i32>, tensor<256xf32>
  }
  return %r#3 : tensor<256xf32>
}

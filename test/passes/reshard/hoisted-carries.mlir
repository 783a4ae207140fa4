// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=hoist=600 | FileCheck %s --check-prefix=ONE
// RUN: spmd-opt %s --spmd-pipeline=hoist=0 | FileCheck %s --check-prefix=NONE
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-run %s --seed=5 --out %t/results | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %s --spmd-pipeline=hoist=600 -o %t/one.mlir
// RUN: spmd-run %t/one.mlir --seed=5 --expect %t/results --rtol=1e-6 --atol=1e-6 | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %s --spmd-pipeline=hoist=0 -o %t/none.mlir
// RUN: spmd-run %t/none.mlir --seed=5 --expect %t/results --rtol=1e-6 --atol=1e-6 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes

// Loops read slices of carries that they do not change. The carries are gathered before the loops if a device then holds at
// most `hoist` bytes more; else each slice moves when it is read.

sdy.mesh @mesh = <["x"=4]>

// Two carries grow from 200 bytes to 800 each. 600 bytes are enough for one of them.
// CHECK-LABEL: func.func @main(
// CHECK: all_gather
// CHECK: stablehlo.while{{.*}} : tensor<i32>, tensor<9x5xf32>, tensor<8x5x5xf32>, tensor<8x5x5xf32>
// CHECK-NOT: {{all_reduce|all_gather|all_to_all|collective_permute}}
// CHECK: return %{{.*}}#1

// ONE-LABEL: func.func @main(
// ONE: all_gather
// ONE: stablehlo.while{{.*}} : tensor<i32>, tensor<9x5xf32>, {{tensor<8x5x5xf32>, tensor<2x5x5xf32>|tensor<2x5x5xf32>, tensor<8x5x5xf32>}}
// ONE: return %{{.*}}#1

// NONE-LABEL: func.func @main(
// NONE-NOT: all_gather
// NONE: stablehlo.while{{.*}} : tensor<i32>, tensor<9x5xf32>, tensor<2x5x5xf32>, tensor<2x5x5xf32>
// NONE: return %{{.*}}#1
func.func @main(%x: tensor<9x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %a: tensor<8x5x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>},
                %b: tensor<8x5x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<9x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %v = %x, %wa = %a, %wb = %b) : tensor<i32>, tensor<9x5xf32>, tensor<8x5x5xf32>, tensor<8x5x5xf32>
  cond {
    %p = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %wa, %i, %zero, %zero, sizes = [1, 5, 5] : (tensor<8x5x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x5x5xf32>
    %2 = stablehlo.reshape %1 : (tensor<1x5x5xf32>) -> tensor<5x5xf32>
    %3 = stablehlo.dynamic_slice %wb, %i, %zero, %zero, sizes = [1, 5, 5] : (tensor<8x5x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x5x5xf32>
    %4 = stablehlo.reshape %3 : (tensor<1x5x5xf32>) -> tensor<5x5xf32>
    %5 = stablehlo.dot_general %v, %2, contracting_dims = [1] x [0] : (tensor<9x5xf32>, tensor<5x5xf32>) -> tensor<9x5xf32>
    %6 = stablehlo.tanh %5 : tensor<9x5xf32>
    %7 = stablehlo.dot_general %6, %4, contracting_dims = [1] x [0] : (tensor<9x5xf32>, tensor<5x5xf32>) -> tensor<9x5xf32>
    %8 = stablehlo.tanh %7 : tensor<9x5xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %8, %wa, %wb : tensor<i32>, tensor<9x5xf32>, tensor<8x5x5xf32>, tensor<8x5x5xf32>
  }
  return %0#1 : tensor<9x5xf32>
}

// The slices are read in a function, in the inner one of two loops. The carry grows from 192 bytes to 768. If no carry may grow,
// each device may still hold a part of every slice, which has as many bytes.
// CHECK-LABEL: func.func @nested(
// CHECK: all_gather
// CHECK: stablehlo.while{{.*}} tensor<4x6x8xf32>
// CHECK-NOT: {{all_reduce|all_gather|all_to_all|collective_permute}}
// CHECK: return

// NONE-LABEL: func.func @nested(
// NONE: stablehlo.while{{.*}} {{tensor<1x6x8xf32>|tensor<4x6x2xf32>}}
// NONE: return
func.func @nested(%x: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %a: tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) -> (tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<4x6x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %0:3 = stablehlo.while(%i = %zero, %v = %x, %w = %a) : tensor<i32>, tensor<16x8xf32>, tensor<4x6x8xf32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1:3 = stablehlo.while(%j = %zero, %u = %v, %t = %w) : tensor<i32>, tensor<16x8xf32>, tensor<4x6x8xf32>
    cond {
      %p = stablehlo.compare LT, %j, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %2 = func.call @layer(%u, %t, %j) : (tensor<16x8xf32>, tensor<4x6x8xf32>, tensor<i32>) -> tensor<16x8xf32>
      %next = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %next, %2, %t : tensor<i32>, tensor<16x8xf32>, tensor<4x6x8xf32>
    }
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %1#1, %w : tensor<i32>, tensor<16x8xf32>, tensor<4x6x8xf32>
  }
  return %0#1, %0#2 : tensor<16x8xf32>, tensor<4x6x8xf32>
}
func.func private @layer(%u: tensor<16x8xf32>, %t: tensor<4x6x8xf32>, %j: tensor<i32>) -> tensor<16x8xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.dynamic_slice %t, %j, %zero, %zero, sizes = [1, 6, 8] : (tensor<4x6x8xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x6x8xf32>
  %1 = stablehlo.reshape %0 : (tensor<1x6x8xf32>) -> tensor<6x8xf32>
  %2 = stablehlo.dot_general %u, %1, contracting_dims = [1] x [1] : (tensor<16x8xf32>, tensor<6x8xf32>) -> tensor<16x6xf32>
  %3 = stablehlo.tanh %2 : tensor<16x6xf32>
  %4 = stablehlo.dot_general %3, %1, contracting_dims = [1] x [0] : (tensor<16x6xf32>, tensor<6x8xf32>) -> tensor<16x8xf32>
  return %4 : tensor<16x8xf32>
}

// The carry has one chunk of rows for each iteration. It grows from 4,096 bytes to 16,384.
// CHECK-LABEL: func.func @chunks(
// CHECK: all_gather
// CHECK: stablehlo.while{{.*}} tensor<8x32x16xf32>
// CHECK-NOT: {{all_reduce|all_gather|all_to_all|collective_permute}}
// CHECK: return

// NONE-LABEL: func.func @chunks(
// NONE: stablehlo.while{{.*}} {{tensor<2x32x16xf32>|tensor<8x8x16xf32>|tensor<8x32x4xf32>}}
// NONE: return
func.func @chunks(%q: tensor<256x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
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

// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard" | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=BEFORE
// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard hoist=500" | FileCheck %s --check-prefix=LITTLE
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

sdy.mesh @mesh = <["x"=8]>

// Each turn works on other rows with a weight that is cut along its columns. To gather the weight, narrowed, once before the loop
// moves less than to gather the rows in all turns and to exchange what comes out. In few turns, or where the whole weight may
// not be held, rows move.
// CHECK-LABEL: func.func @main(
// CHECK: stablehlo.while
// CHECK: %[[ROWS:.+]] = stablehlo.convert {{.*}} -> tensor<8x16xbf16>
// CHECK: %[[WHOLE:.+]] = sdy.reshard {{.*}} <@mesh, [{}, {}]> : tensor<16x16xbf16>
// CHECK: stablehlo.dot_general %[[ROWS]], %[[WHOLE]]
// CHECK: stablehlo.while
// CHECK: %[[MOVED:.+]] = sdy.reshard {{.*}} <@mesh, [{}, {}]> : tensor<8x16xbf16>
// CHECK: stablehlo.dot_general %[[MOVED]]

// BEFORE-LABEL: func.func @main(
// BEFORE: "stablehlo.all_gather"{{.*}} -> tensor<16x16xbf16>
// BEFORE: stablehlo.while
// BEFORE-NOT: "stablehlo.all_gather"
// BEFORE: stablehlo.while

// LITTLE-LABEL: func.func @main(
// LITTLE: stablehlo.while
// LITTLE: sdy.reshard {{.*}} : tensor<8x16xbf16>
// LITTLE: stablehlo.dot_general
func.func @main(%rows: tensor<20x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                %weight: tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %state: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<20> : tensor<i32>
  %few = stablehlo.constant dense<2> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %w = %weight, %x = %rows, %h = %state) : tensor<i32>, tensor<16x16xf32>, tensor<20x8x16xf32>, tensor<8x16xf32>
  cond {
    %2 = stablehlo.compare LT, %i, %many, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %narrow = stablehlo.convert %w : (tensor<16x16xf32>) -> tensor<16x16xbf16>
    %slice = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8, 16] : (tensor<20x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %row = stablehlo.reshape %slice : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    %left = stablehlo.convert %row : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %2 = stablehlo.dot_general %left, %narrow, contracting_dims = [1] x [0] : (tensor<8x16xbf16>, tensor<16x16xbf16>) -> tensor<8x16xf32>
    %3 = stablehlo.add %2, %h : tensor<8x16xf32>
    %4 = stablehlo.tanh %3 : tensor<8x16xf32>
    stablehlo.return %next, %w, %x, %4 : tensor<i32>, tensor<16x16xf32>, tensor<20x8x16xf32>, tensor<8x16xf32>
  }
  %1:4 = stablehlo.while(%i = %zero, %w = %weight, %x = %rows, %h = %state) : tensor<i32>, tensor<16x16xf32>, tensor<20x8x16xf32>, tensor<8x16xf32>
  cond {
    %2 = stablehlo.compare LT, %i, %few, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %narrow = stablehlo.convert %w : (tensor<16x16xf32>) -> tensor<16x16xbf16>
    %slice = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8, 16] : (tensor<20x8x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x16xf32>
    %row = stablehlo.reshape %slice : (tensor<1x8x16xf32>) -> tensor<8x16xf32>
    %left = stablehlo.convert %row : (tensor<8x16xf32>) -> tensor<8x16xbf16>
    %2 = stablehlo.dot_general %left, %narrow, contracting_dims = [1] x [0] : (tensor<8x16xbf16>, tensor<16x16xbf16>) -> tensor<8x16xf32>
    %3 = stablehlo.add %2, %h : tensor<8x16xf32>
    %4 = stablehlo.tanh %3 : tensor<8x16xf32>
    stablehlo.return %next, %w, %x, %4 : tensor<i32>, tensor<16x16xf32>, tensor<20x8x16xf32>, tensor<8x16xf32>
  }
  return %0#3, %1#3 : tensor<8x16xf32>, tensor<8x16xf32>
}

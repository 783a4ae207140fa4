// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard" | FileCheck %s --check-prefix=ALL
// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard hoist=600" | FileCheck %s --check-prefix=ONE
// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard hoist=0" | FileCheck %s --check-prefix=NONE
// What loops read slices of and do not change is brought before them to where its slices are wanted; the same numbers.
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-run %s --seed=5 --out %t/results
// RUN: spmd-opt %s --spmd-pipeline="hoist=600" -o %t/one.mlir
// RUN: spmd-run %t/one.mlir --seed=5 --expect %t/results --rtol=1e-6 --atol=1e-6 | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %s --spmd-pipeline="hoist=0" -o %t/none.mlir
// RUN: spmd-run %t/none.mlir --seed=5 --expect %t/results --rtol=1e-6 --atol=1e-6 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

sdy.mesh @mesh = <["x"=4]>

// Each of 8x5x5 floats grows from 200 bytes to 800. Of two, one fits in twice the room of one; 5 does not split over 4.
// ALL-LABEL: func.func @main(
// ALL-DAG: sdy.reshard %[[A:[^ ]*]] <@mesh, [{}, {}, {}]> {{.*}}8x5x5
// ALL-DAG: sdy.reshard %[[B:[^ ]*]] <@mesh, [{}, {}, {}]> {{.*}}8x5x5
// ALL: stablehlo.while
// ALL-NOT: sdy.reshard
// ALL: return

// ONE-LABEL: func.func @main(
// ONE: sdy.reshard %[[A:[^ ]*]] <@mesh, [{}, {}, {}]> {{.*}}8x5x5
// ONE-NOT: sdy.reshard
// ONE: stablehlo.while
// ONE: stablehlo.dynamic_slice
// ONE-NOT: sdy.reshard
// ONE: stablehlo.dynamic_slice
// ONE: sdy.reshard
// ONE-NOT: sdy.reshard
// ONE: return

// NONE-LABEL: func.func @main(
// NONE-NOT: sdy.reshard
// NONE: stablehlo.while
// NONE: stablehlo.dynamic_slice
// NONE: sdy.reshard
// NONE: stablehlo.dynamic_slice
// NONE: sdy.reshard
// NONE-NOT: sdy.reshard
// NONE: return
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

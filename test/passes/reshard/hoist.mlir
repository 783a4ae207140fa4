// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard" | FileCheck %s --check-prefix=ABOVE
// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard hoist=200" | FileCheck %s --check-prefix=SOME
// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard hoist=0" | FileCheck %s --check-prefix=NONE
// What loops read from outside is brought before them as far as `hoist` goes, with the loops around; the same numbers.
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-run %s --seed=5 --out %t/results
// RUN: spmd-opt %s --spmd-pipeline="hoist=200" -o %t/some.mlir
// RUN: spmd-run %t/some.mlir --seed=5 --expect %t/results --rtol=0 --atol=0 | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-opt %s --spmd-pipeline="hoist=0" -o %t/none.mlir
// RUN: spmd-run %t/none.mlir --seed=5 --expect %t/results --rtol=0 --atol=0 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

sdy.mesh @mesh = <["x"=4]>

// Each of 7x5 floats grows from 2x5 to 7x5: by 100 bytes.
// ABOVE-LABEL: func.func @main(
// ABOVE-COUNT-3: sdy.reshard
// ABOVE: stablehlo.while
// ABOVE-NOT: sdy.reshard
// ABOVE: return

// SOME-LABEL: func.func @main(
// SOME-COUNT-2: sdy.reshard
// SOME-NOT: sdy.reshard
// SOME: stablehlo.while
// SOME: stablehlo.while
// SOME: sdy.reshard
// SOME-NOT: sdy.reshard
// SOME: return

// NONE-LABEL: func.func @main(
// NONE-NOT: sdy.reshard
// NONE: stablehlo.while
// NONE: stablehlo.while
// NONE-COUNT-3: sdy.reshard
// NONE-NOT: sdy.reshard
// NONE: return
func.func @main(%x: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
                %a: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %c: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> (tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %0:2 = stablehlo.while(%i = %zero, %v = %x) : tensor<i32>, tensor<7x5xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {}]>]>}
  cond {
    %p = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1:2 = stablehlo.while(%j = %zero, %w = %v) : tensor<i32>, tensor<7x5xf32> attributes {sdy.sharding = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, [{}, {}]>]>}
    cond {
      %p = stablehlo.compare LT, %j, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %p : tensor<i1>
    } do {
      %wa = sdy.sharding_constraint %a <@mesh, [{}, {}]> : tensor<7x5xf32>
      %wb = sdy.sharding_constraint %b <@mesh, [{}, {}]> : tensor<7x5xf32>
      %wc = sdy.sharding_constraint %c <@mesh, [{}, {}]> : tensor<7x5xf32>
      %2 = stablehlo.add %w, %wa : tensor<7x5xf32>
      %3 = stablehlo.multiply %2, %wb : tensor<7x5xf32>
      %4 = stablehlo.subtract %3, %wc : tensor<7x5xf32>
      %5 = stablehlo.add %j, %one : tensor<i32>
      stablehlo.return %5, %4 : tensor<i32>, tensor<7x5xf32>
    }
    %6 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %6, %1#1 : tensor<i32>, tensor<7x5xf32>
  }
  return %0#1 : tensor<7x5xf32>
}

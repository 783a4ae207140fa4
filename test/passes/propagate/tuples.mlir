// Shardings pass tuples: propagation takes them apart first, alone as behind the passes before it.
// RUN: spmd-opt %s --spmd-propagate 2>&1 | FileCheck %s
// RUN: spmd-opt %s --spmd-flatten-tuples --spmd-propagate -o %t.flat 2>&1 && spmd-opt %s --spmd-propagate -o %t.once 2>&1 && diff %t.flat %t.once
// RUN: spmd-opt %t.once --spmd-propagate -o %t.twice 2>&1 | FileCheck %s --check-prefix=AGAIN --allow-empty
// RUN: diff %t.once %t.twice
// AGAIN-NOT: {{warning|error}}
// An argument that is put into a tuple keeps its own line.
// RUN: spmd-opt %s --spmd-explain=value=@put:%a | FileCheck %s --check-prefix=PUT
// PUT: to split it, write: %a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}

sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-NOT: warning
// CHECK-LABEL: func.func @main(
// CHECK: %[[T:.*]]: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>, spmd.inferred}, %{{.*}}: tensor<4xf32>
// CHECK: stablehlo.abs %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>
// CHECK: stablehlo.add {{.*}}sdy.sharding_per_value<[<@mesh, [{"x", ?}, {?}]>]>
func.func @main(%a: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %t: tuple<tensor<8x6xf32>, tensor<4xf32>>,
                %c: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}) -> (tensor<8x6xf32>, tensor<4xf32>) {
  %b = stablehlo.abs %a : tensor<8x6xf32>
  %pair = stablehlo.tuple %b, %c : tuple<tensor<8x6xf32>, tensor<4xf32>>
  %0 = stablehlo.get_tuple_element %pair[0] : (tuple<tensor<8x6xf32>, tensor<4xf32>>) -> tensor<8x6xf32>
  %1 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<8x6xf32>, tensor<4xf32>>) -> tensor<8x6xf32>
  %2 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<8x6xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %3 = stablehlo.add %0, %1 : tensor<8x6xf32>
  %4 = stablehlo.add %2, %c : tensor<4xf32>
  return %3, %4 : tensor<8x6xf32>, tensor<4xf32>
}

func.func @put(%a: tensor<4xf32>, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) -> tensor<4xf32> {
  %pair = stablehlo.tuple %a, %b : tuple<tensor<4xf32>, tensor<4xf32>>
  %0 = stablehlo.get_tuple_element %pair[0] : (tuple<tensor<4xf32>, tensor<4xf32>>) -> tensor<4xf32>
  %1 = stablehlo.add %0, %b : tensor<4xf32>
  return %1 : tensor<4xf32>
}

// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Each sort alone moves less than it takes to gather what it reads; all of them move more than one gather of each operand. Rows
// stay split along "y", and each device takes its part of what was sorted.
// CHECK-LABEL: func.func @main(
// CHECK-DAG: %[[KEYS:.+]] = sdy.reshard %arg0 <@mesh, [{"y"}, {}]>
// CHECK-DAG: %[[MORE:.+]] = sdy.reshard %arg1 <@mesh, [{"y"}, {}]>
// CHECK-DAG: "stablehlo.sort"(%[[KEYS]], %[[MORE]])
// CHECK-DAG: "stablehlo.sort"(%[[MORE]], %[[KEYS]])
// CHECK-DAG: "stablehlo.sort"(%[[KEYS]]) <
// CHECK: return
func.func @main(%a: tensor<6x250xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
                %b: tensor<6x250xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<6x250xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<6x250xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>},
        tensor<6x250xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0:2 = "stablehlo.sort"(%a, %b) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<i32>, %r: tensor<i32>, %m: tensor<i32>, %s: tensor<i32>):
    %less = stablehlo.compare LT, %l, %r : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<6x250xi32>, tensor<6x250xi32>) -> (tensor<6x250xi32>, tensor<6x250xi32>)
  %1:2 = "stablehlo.sort"(%b, %a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<i32>, %r: tensor<i32>, %m: tensor<i32>, %s: tensor<i32>):
    %less = stablehlo.compare LT, %l, %r : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<6x250xi32>, tensor<6x250xi32>) -> (tensor<6x250xi32>, tensor<6x250xi32>)
  %2 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<i32>, %r: tensor<i32>):
    %less = stablehlo.compare GT, %l, %r : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<6x250xi32>) -> tensor<6x250xi32>
  return %0#1, %1#1, %2 : tensor<6x250xi32>, tensor<6x250xi32>, tensor<6x250xi32>
}

// One sort alone goes by its exchange.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT: sdy.reshard
// CHECK: return
func.func @alone(%a: tensor<6x250xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>})
    -> (tensor<6x250xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"x"}]>}) {
  %0 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<i32>, %r: tensor<i32>):
    %less = stablehlo.compare GT, %l, %r : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<6x250xi32>) -> tensor<6x250xi32>
  return %0 : tensor<6x250xi32>
}

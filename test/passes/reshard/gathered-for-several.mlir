// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes

sdy.mesh @mesh = <["x"=4, "y"=2]>

// Exchanges of one sort send fewer bytes than gathering its operands. Exchanges of all three sorts send more than one gather of
// each operand. Rows stay split along "y", and each device takes its part of the sorted rows.
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

// One sort alone exchanges elements.
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

// Each slice alone moves fewer bytes than a gather of all rows; all of them move more.
// CHECK-LABEL: func.func @dealt(
// CHECK: %[[ALL:.+]] = sdy.reshard %arg0 <@mesh, [{}, {}]>
// CHECK: stablehlo.slice %[[ALL]] [0:2, 0:5]
// CHECK: stablehlo.slice %[[ALL]] [6:8, 0:5]
// CHECK: stablehlo.slice %[[ALL]] [2:4, 0:5]
// CHECK: stablehlo.slice %[[ALL]] [4:6, 0:5]
// CHECK-NOT: sdy.reshard
// CHECK: return
func.func @dealt(%a: tensor<8x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<2x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<2x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>},
        tensor<2x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<2x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.slice %a [0:2, 0:5] : (tensor<8x5xi32>) -> tensor<2x5xi32>
  %1 = stablehlo.slice %a [6:8, 0:5] : (tensor<8x5xi32>) -> tensor<2x5xi32>
  %2 = stablehlo.slice %a [2:4, 0:5] : (tensor<8x5xi32>) -> tensor<2x5xi32>
  %3 = stablehlo.slice %a [4:6, 0:5] : (tensor<8x5xi32>) -> tensor<2x5xi32>
  return %0, %1, %2, %3 : tensor<2x5xi32>, tensor<2x5xi32>, tensor<2x5xi32>, tensor<2x5xi32>
}

// Two slices of few rows move fewer bytes than a gather of all rows.
// CHECK-LABEL: func.func @few(
// CHECK: stablehlo.slice %arg0 [0:1, 0:5]
// CHECK: stablehlo.slice %arg0 [63:64, 0:5]
// CHECK: return
func.func @few(%a: tensor<64x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<1x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<1x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.slice %a [0:1, 0:5] : (tensor<64x5xi32>) -> tensor<1x5xi32>
  %1 = stablehlo.slice %a [63:64, 0:5] : (tensor<64x5xi32>) -> tensor<1x5xi32>
  return %0, %1 : tensor<1x5xi32>, tensor<1x5xi32>
}

// The second sort reads the replicated result of the first one. Each sort alone would exchange elements, to send fewer bytes than
// a gather.
// CHECK-LABEL: func.func @order_of_an_order(
// CHECK: %[[KEYS:.+]] = sdy.reshard %arg0 <@mesh, [{}]>
// CHECK: %[[MORE:.+]] = sdy.reshard %arg1 <@mesh, [{}]>
// CHECK: %[[ORDER:.+]]:3 = "stablehlo.sort"(%[[KEYS]], %[[MORE]], %
// CHECK: "stablehlo.sort"(%[[ORDER]]#2, %
// CHECK: return
func.func @order_of_an_order(%a: tensor<512xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>},
                             %b: tensor<512xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>})
    -> (tensor<512xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}]>}) {
  %numbers = stablehlo.iota dim = 0 : tensor<512xi32>
  %0:3 = "stablehlo.sort"(%a, %b, %numbers) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<i32>, %r: tensor<i32>, %l1: tensor<i32>, %r1: tensor<i32>, %m: tensor<i32>, %s: tensor<i32>):
    %less = stablehlo.compare LT, %l, %r : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %same = stablehlo.compare EQ, %l, %r : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %then = stablehlo.compare LT, %l1, %r1 : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %both = stablehlo.and %same, %then : tensor<i1>
    %first = stablehlo.or %less, %both : tensor<i1>
    stablehlo.return %first : tensor<i1>
  }) : (tensor<512xi32>, tensor<512xi32>, tensor<512xi32>) -> (tensor<512xi32>, tensor<512xi32>, tensor<512xi32>)
  %1:2 = "stablehlo.sort"(%0#2, %numbers) <{dimension = 0 : i64, is_stable = true}> ({
  ^bb0(%l: tensor<i32>, %r: tensor<i32>, %m: tensor<i32>, %s: tensor<i32>):
    %less = stablehlo.compare LT, %l, %r : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %less : tensor<i1>
  }) : (tensor<512xi32>, tensor<512xi32>) -> (tensor<512xi32>, tensor<512xi32>)
  return %1#1 : tensor<512xi32>
}

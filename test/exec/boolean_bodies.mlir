// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run - --json=%t.json
// RUN: FileCheck %s < %t.json
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -

// Bodies of several ops that come to one of `and`, `or`, `xor`: shares of results meet in a
// reduction, and nothing is gathered.
// CHECK-NOT: all_gather
// CHECK: "all_reduce"
// CHECK-NOT: all_gather
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<11x7xi1> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) -> (tensor<7xi1>, tensor<11xi1>, tensor<i1>) {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %false = stablehlo.constant dense<false> : tensor<i1>
  %any = "stablehlo.reduce"(%a, %false) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %zero = stablehlo.constant dense<false> : tensor<i1>
    %0 = stablehlo.compare NE, %x, %zero : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %1 = stablehlo.compare NE, %y, %zero : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %2 = stablehlo.or %0, %1 : tensor<i1>
    %3 = stablehlo.select %2, %true, %zero : tensor<i1>, tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<11x7xi1>, tensor<i1>) -> tensor<7xi1>
  %all = "stablehlo.reduce"(%a, %true) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %0 = stablehlo.not %x : tensor<i1>
    %1 = stablehlo.not %y : tensor<i1>
    %2 = stablehlo.maximum %0, %1 : tensor<i1>
    %3 = stablehlo.not %2 : tensor<i1>
    stablehlo.return %3 : tensor<i1>
  }) : (tensor<11x7xi1>, tensor<i1>) -> tensor<11xi1>
  %odd = "stablehlo.reduce"(%a, %true) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i1>, %y: tensor<i1>):
    %0 = stablehlo.compare EQ, %x, %y : (tensor<i1>, tensor<i1>) -> tensor<i1>
    %1 = stablehlo.xor %0, %true : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }) : (tensor<11x7xi1>, tensor<i1>) -> tensor<i1>
  return %any, %all, %odd : tensor<7xi1>, tensor<11xi1>, tensor<i1>
}

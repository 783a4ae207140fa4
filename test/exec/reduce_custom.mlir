// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Reductions whose body is no single op, and reductions of several operands at once.
sdy.mesh @mesh = MESH

func.func public @main(%a: tensor<10x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %init: tensor<i32>) -> (tensor<7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, tensor<7xi32>, tensor<10xi32>) {
  %index = stablehlo.iota dim = 0 : tensor<10x7xi32>
  %low = stablehlo.constant dense<-100> : tensor<i32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %best:2 = stablehlo.reduce(%a init: %low), (%index init: %zero) across dimensions = [0]
      : (tensor<10x7xi32>, tensor<10x7xi32>, tensor<i32>, tensor<i32>) -> (tensor<7xi32>, tensor<7xi32>)
   reducer(%u: tensor<i32>, %v: tensor<i32>) (%i: tensor<i32>, %j: tensor<i32>) {
    %first = stablehlo.compare GE, %u, %v, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %value = stablehlo.select %first, %u, %v : tensor<i1>, tensor<i32>
    %place = stablehlo.select %first, %i, %j : tensor<i1>, tensor<i32>
    stablehlo.return %value, %place : tensor<i32>, tensor<i32>
  }
  %sums = stablehlo.reduce(%a init: %init) applies stablehlo.add across dimensions = [1] : (tensor<10x7xi32>, tensor<i32>) -> tensor<10xi32>
  return %best#0, %best#1, %sums : tensor<7xi32>, tensor<7xi32>, tensor<10xi32>
}

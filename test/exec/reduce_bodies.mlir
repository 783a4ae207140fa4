// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=8, "y"=1]>/' %s | spmd-run -

// Bodies that no collective knows, with initial values that are not their identities: these count
// once, however many devices there are and however many of their rows are padding.
sdy.mesh @mesh = MESH

func.func private @plus(%x: tensor<i32>, %y: tensor<i32>) -> tensor<i32> {
  %0 = stablehlo.add %x, %y : tensor<i32>
  return %0 : tensor<i32>
}

func.func public @main(%a: tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %b: tensor<11x7xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %start: tensor<i32>)
    -> (tensor<7xi32>, tensor<11xi32>, tensor<i32>, tensor<7xi32>, tensor<7xi32>, tensor<11xi32>, tensor<7xi32>, tensor<7xi32>) {
  %ten = stablehlo.constant dense<10> : tensor<i32>

  // Behind a call.
  %called = "stablehlo.reduce"(%a, %start) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %0 = func.call @plus(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<i32>) -> tensor<7xi32>
  %across = "stablehlo.reduce"(%a, %ten) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %0 = func.call @plus(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<i32>) -> tensor<11xi32>
  %all = "stablehlo.reduce"(%a, %ten) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%x: tensor<i32>, %y: tensor<i32>):
    %0 = func.call @plus(%x, %y) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    stablehlo.return %0 : tensor<i32>
  }) : (tensor<11x7xi32>, tensor<i32>) -> tensor<i32>

  // A sum and a largest value at once.
  %sum, %most = "stablehlo.reduce"(%a, %b, %start, %ten) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %u: tensor<i32>, %y: tensor<i32>, %v: tensor<i32>):
    %0 = stablehlo.add %x, %y : tensor<i32>
    %1 = stablehlo.maximum %u, %v : tensor<i32>
    stablehlo.return %0, %1 : tensor<i32>, tensor<i32>
  }) : (tensor<11x7xi32>, tensor<11x7xi32>, tensor<i32>, tensor<i32>) -> (tensor<7xi32>, tensor<7xi32>)

  // The larger, by one of the two: may come in as often as it likes.
  %value, %other = "stablehlo.reduce"(%a, %b, %ten, %start) <{dimensions = array<i64: 1>}> ({
  ^bb0(%x: tensor<i32>, %u: tensor<i32>, %y: tensor<i32>, %v: tensor<i32>):
    %0 = stablehlo.compare GE, %x, %y : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.select %0, %x, %y : tensor<i1>, tensor<i32>
    %2 = stablehlo.minimum %u, %v : tensor<i32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<i32>
  }) : (tensor<11x7xi32>, tensor<11x7xi32>, tensor<i32>, tensor<i32>) -> (tensor<11xi32>, tensor<11xi32>)

  // Affine maps, one after the other: the order of the rows counts.
  %slope, %offset = "stablehlo.reduce"(%a, %b, %ten, %start) <{dimensions = array<i64: 0>}> ({
  ^bb0(%x: tensor<i32>, %u: tensor<i32>, %y: tensor<i32>, %v: tensor<i32>):
    %0 = stablehlo.multiply %x, %y : tensor<i32>
    %1 = stablehlo.multiply %u, %y : tensor<i32>
    %2 = stablehlo.add %1, %v : tensor<i32>
    stablehlo.return %0, %2 : tensor<i32>, tensor<i32>
  }) : (tensor<11x7xi32>, tensor<11x7xi32>, tensor<i32>, tensor<i32>) -> (tensor<7xi32>, tensor<7xi32>)
  return %called, %across, %all, %sum, %most, %value, %slope, %offset : tensor<7xi32>, tensor<11xi32>, tensor<i32>, tensor<7xi32>, tensor<7xi32>, tensor<11xi32>, tensor<7xi32>, tensor<7xi32>
}

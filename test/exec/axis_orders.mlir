// RUN: sed 's/MESH/<["x"=2, "y"=2, "z"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=2, "z"=1]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["z"=4, "x"=1, "y"=3]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=2, "y"=4], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/; s/, "z"//' %s | spmd-run -

// A dim that has its axes in other orders on different values, which do not divide it, in front of a loop and in it; what
// is worked out twice of them is moved once.
sdy.mesh @mesh = MESH

func.func public @main(
    %a: tensor<13x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y", "x", ?}, {?}]>},
    %b: tensor<13x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %c: tensor<13x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "z"}, {"y"}]>})
    -> (tensor<13x7xf32>, tensor<13x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>},
        tensor<13x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<13x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %few = stablehlo.constant dense<3> : tensor<i32>
  %0 = stablehlo.add %a, %b : tensor<13x7xf32>
  %1 = stablehlo.cosine %b : tensor<13x7xf32>
  %2 = stablehlo.multiply %c, %1 : tensor<13x7xf32>
  %3:3 = stablehlo.while(%u = %0, %v = %2, %i = %zero) : tensor<13x7xf32>, tensor<13x7xf32>, tensor<i32>
    cond {
      %8 = stablehlo.compare LT, %i, %few : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %8 = stablehlo.multiply %u, %v : tensor<13x7xf32>
      %9 = stablehlo.add %8, %1 : tensor<13x7xf32>
      %10 = stablehlo.tanh %9 : tensor<13x7xf32>
      %11 = stablehlo.subtract %v, %a : tensor<13x7xf32>
      %12 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %10, %11, %12 : tensor<13x7xf32>, tensor<13x7xf32>, tensor<i32>
    }
  %4 = stablehlo.add %3#0, %1 : tensor<13x7xf32>
  %5 = stablehlo.reverse %4, dims = [0] : tensor<13x7xf32>
  %6 = stablehlo.add %3#0, %1 : tensor<13x7xf32>
  %7 = stablehlo.reverse %6, dims = [0] : tensor<13x7xf32>
  return %3#0, %3#1, %5, %7 : tensor<13x7xf32>, tensor<13x7xf32>, tensor<13x7xf32>, tensor<13x7xf32>
}

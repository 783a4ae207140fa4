// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard inline-functions=false" | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline=inline-functions=false | FileCheck %s --check-prefix=LOCAL
// RUN: sed 's/LT, %%i, %%four/NE, %%i, %%four/; s/"x"=2/"x"=3/' %s | spmd-run -
// RUN: spmd-run %s

// A product of two rows takes less to gather than its sum to reduce, once. A loop that adds up such products, in a function,
// reduces the sum of four: then each device makes its share.
sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @main
// CHECK: sdy.reshard %arg0 <@mesh, [{}, {}]>
// CHECK: sdy.reshard %arg1 <@mesh, [{}, {}]>
// CHECK: stablehlo.dot_general
// CHECK-NOT: unreduced
// CHECK-LABEL: func.func private @turn
// CHECK: %[[SHARE:.*]] = stablehlo.dot_general %{{.*}}, %arg2, contracting_dims = [0] x [0] {{.*}}unreduced={"x"}
// CHECK: sdy.reshard %[[SHARE]] <@mesh, [{}, {}]>

// LOCAL-LABEL: func.func @main
// LOCAL: stablehlo.while
// LOCAL-NOT: all_reduce
// LOCAL: }
// LOCAL: "stablehlo.all_reduce"
// LOCAL-LABEL: func.func private @turn
// LOCAL-NOT: all_reduce
func.func @main(%x: tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %g: tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %four = stablehlo.constant dense<4> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<16x16xf32>
  %once = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0] : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<16x16xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %none) : tensor<i32>, tensor<16x16xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %four : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = func.call @turn(%sum, %x, %g, %i) : (tensor<16x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<i32>) -> tensor<16x16xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<16x16xf32>
  }
  return %0#1, %once : tensor<16x16xf32>, tensor<16x16xf32>
}
func.func private @turn(%sum: tensor<16x16xf32>, %x: tensor<2x16xf32>, %g: tensor<2x16xf32>, %i: tensor<i32>) -> tensor<16x16xf32> {
  %0 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
  %2 = stablehlo.multiply %x, %1 : tensor<2x16xf32>
  %3 = stablehlo.dot_general %2, %g, contracting_dims = [0] x [0] : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<16x16xf32>
  %4 = stablehlo.add %sum, %3 : tensor<16x16xf32>
  return %4 : tensor<16x16xf32>
}

// RUN: spmd-opt %s --spmd-pipeline="stop-after=reshard" | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=LOCAL
// RUN: spmd-run %s
// RUN: sed 's/"x"=2/"x"=3/' %s | spmd-run -

// A loop adds two gradients to one sum in each turn, both written as frameworks do: what was broadcast is summed row by
// row, and once more over the one row that is left. Their shares are added up, and reduced behind the loop.
sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func.func @main
// CHECK: stablehlo.while
// CHECK: stablehlo.reduce{{.*}}dimensions = [0] {{.*}}unreduced={"x"}
// CHECK: stablehlo.reshape{{.*}}unreduced={"x"}
// CHECK-NEXT: %[[FIRST:.*]] = stablehlo.reduce{{.*}}unreduced={"x"}
// CHECK-NEXT: sdy.reshard %[[FIRST]]
// CHECK: stablehlo.reduce{{.*}}unreduced={"x"}
// CHECK: stablehlo.reshape{{.*}}unreduced={"x"}
// CHECK-NEXT: %[[SECOND:.*]] = stablehlo.reduce{{.*}}unreduced={"x"}
// CHECK-NEXT: sdy.reshard %[[SECOND]]

// LOCAL-LABEL: func.func @main
// LOCAL: stablehlo.while
// LOCAL-NOT: all_reduce
// LOCAL: return{{.*}} : tensor<i32>, tensor<5xf32>, tensor<5xf32>{{$}}
// LOCAL: "stablehlo.all_reduce"
// LOCAL-NOT: "stablehlo.all_reduce"
func.func @main(%x: tensor<7x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %start: tensor<5xf32>)
    -> (tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}, tensor<5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %nine = stablehlo.constant dense<9> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<f32>
  %0:3 = stablehlo.while(%i = %zero, %sum = %start, %w = %start) : tensor<i32>, tensor<5xf32>, tensor<5xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %nine : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %w, dims = [1] : (tensor<5xf32>) -> tensor<7x5xf32>
    %3 = stablehlo.multiply %2, %x : tensor<7x5xf32>
    %4 = stablehlo.reduce(%3 init: %none) applies stablehlo.add across dimensions = [0] : (tensor<7x5xf32>, tensor<f32>) -> tensor<5xf32>
    %5 = stablehlo.reshape %4 : (tensor<5xf32>) -> tensor<1x5xf32>
    %6 = stablehlo.reduce(%5 init: %none) applies stablehlo.add across dimensions = [0] : (tensor<1x5xf32>, tensor<f32>) -> tensor<5xf32>
    %7 = stablehlo.tanh %3 : tensor<7x5xf32>
    %8 = stablehlo.reduce(%7 init: %none) applies stablehlo.add across dimensions = [0] : (tensor<7x5xf32>, tensor<f32>) -> tensor<5xf32>
    %9 = stablehlo.reshape %8 : (tensor<5xf32>) -> tensor<1x5xf32>
    %10 = stablehlo.reduce(%9 init: %none) applies stablehlo.add across dimensions = [0] : (tensor<1x5xf32>, tensor<f32>) -> tensor<5xf32>
    %11 = stablehlo.add %sum, %6 : tensor<5xf32>
    %12 = stablehlo.add %11, %10 : tensor<5xf32>
    %13 = stablehlo.cosine %w : tensor<5xf32>
    stablehlo.return %1, %12, %13 : tensor<i32>, tensor<5xf32>, tensor<5xf32>
  }
  return %0#1, %0#2 : tensor<5xf32>, tensor<5xf32>
}

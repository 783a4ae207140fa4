// `decide=together`: the splits of all ops of a function are decided at once.
//
// RUN: spmd-opt %s --split-input-file --spmd-pipeline=decide=together | FileCheck %s

// Both products leave shares of sums. Their sum is reduced once, to the layout of the result.
// CHECK-LABEL: func.func @sum_of_products
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.dot_general
// CHECK: stablehlo.add
// CHECK: stablehlo.reduce_scatter
// CHECK-NOT: all_reduce
// CHECK: return
sdy.mesh @mesh = <["x"=4]>
func.func @sum_of_products(
    %a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
    %c: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %d: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = stablehlo.dot_general %c, %d, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %2 = stablehlo.add %0, %1 : tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// The constraint says that the rows are split along "x". Values pass it split along "y", too: the
// sum is scattered in front of the constraint, and gathered by its reader alone.
// CHECK-LABEL: func.func @refined
// CHECK: stablehlo.reduce_scatter
// CHECK-NOT: all_gather
// CHECK: return
sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @refined(
    %a: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>},
    %b: tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0]
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  %1 = sdy.sharding_constraint %0 <@mesh, [{"x"}, {}]> : tensor<64x64xf32>
  %2 = stablehlo.tanh %1 : tensor<64x64xf32>
  return %2 : tensor<64x64xf32>
}

// -----

// What the loop adds up stays shares of a sum until the loop is done.
// CHECK-LABEL: func.func @gradient
// CHECK: stablehlo.while
// CHECK: stablehlo.dot_general
// CHECK-NOT: all_reduce
// CHECK: stablehlo.return
// CHECK: {{all_reduce|reduce_scatter}}
sdy.mesh @mesh = <["x"=4]>
func.func @gradient(
    %a: tensor<64x4096xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
    %b: tensor<4096x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<64x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0.0> : tensor<64x64xf32>
  %begin = stablehlo.constant dense<0> : tensor<i32>
  %end = stablehlo.constant dense<10> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %r:4 = stablehlo.while(%i = %begin, %s = %zero, %u = %a, %v = %b)
      : tensor<i32>, tensor<64x64xf32>, tensor<64x4096xf32>, tensor<4096x64xf32>
    cond {
    %p = stablehlo.compare LT, %i, %end : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %0 = stablehlo.dot_general %u, %v, contracting_dims = [1] x [0]
      : (tensor<64x4096xf32>, tensor<4096x64xf32>) -> tensor<64x64xf32>
    %1 = stablehlo.add %s, %0 : tensor<64x64xf32>
    %2 = stablehlo.add %i, %one : tensor<i32>
    %3 = stablehlo.sine %u : tensor<64x4096xf32>
    stablehlo.return %2, %1, %3, %v
      : tensor<i32>, tensor<64x64xf32>, tensor<64x4096xf32>, tensor<4096x64xf32>
  }
  return %r#1 : tensor<64x64xf32>
}

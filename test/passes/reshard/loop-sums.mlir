// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=LOCAL
// RUN: sed 's/LT, %%i/NE, %%i/' %s | spmd-opt --spmd-pipeline | FileCheck %s --check-prefix=LOCAL
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// RUN: sed 's/"x"=2/"x"=3/' %s | spmd-run - | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes

// Loops that add up shares of sums reduce them once, behind the loop.

sdy.mesh @mesh = <["x"=2]>

// A loop adds two gradients to one carry in each iteration. Both are written as frameworks do: a broadcast is undone by a sum
// over rows, and by one more sum over the row that is left. The carry is a share of a sum, reduced once behind the loop.
// CHECK-LABEL: func.func @main(
// CHECK: sdy.reshard %arg1 <@mesh, [{}], unreduced={"x"}>
// CHECK: %[[LOOP:.+]]:3 = stablehlo.while{{.*}}<@mesh, [{}], unreduced={"x"}>
// CHECK: sdy.reshard %[[LOOP]]#1 <@mesh, [{}]>
// CHECK-NEXT: return

// LOCAL-LABEL: func.func @main(
// LOCAL: stablehlo.while
// LOCAL-NOT: all_reduce
// LOCAL: return{{.*}} : tensor<i32>, tensor<5xf32>, tensor<5xf32>{{$}}
// LOCAL: "stablehlo.all_reduce"
// LOCAL-NOT: "stablehlo.all_reduce"
// LOCAL: return
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

// The same for a product whose operand changes in each iteration.
// LOCAL-LABEL: func.func @gradient(
// LOCAL: stablehlo.while
// LOCAL: stablehlo.dot_general
// LOCAL-NOT: {{all_reduce|reduce_scatter}}
// LOCAL: stablehlo.return {{.*}} : tensor<i32>
// LOCAL: "stablehlo.all_reduce"
// LOCAL-NOT: "stablehlo.all_reduce"
// LOCAL: return
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

// The loop may add up inside a function that it calls.
// LOCAL-LABEL: func.func @in_a_function(
// LOCAL: stablehlo.while
// LOCAL: stablehlo.dot_general
// LOCAL-NOT: {{all_reduce|reduce_scatter}}
// LOCAL: stablehlo.return {{.*}} : tensor<i32>
// LOCAL: "stablehlo.all_reduce"
// LOCAL: return
func.func @in_a_function(%x: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %g: tensor<64x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<16x16xf32>
  %once = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %none) : tensor<i32>, tensor<16x16xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = func.call @turn(%sum, %x, %g, %i) : (tensor<16x16xf32>, tensor<64x16xf32>, tensor<64x16xf32>, tensor<i32>) -> tensor<16x16xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<16x16xf32>
  }
  return %0#1, %once : tensor<16x16xf32>, tensor<16x16xf32>
}
func.func private @turn(%sum: tensor<16x16xf32>, %x: tensor<64x16xf32>, %g: tensor<64x16xf32>, %i: tensor<i32>) -> tensor<16x16xf32> {
  %0 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<64x16xf32>
  %2 = stablehlo.multiply %x, %1 : tensor<64x16xf32>
  %3 = stablehlo.dot_general %2, %g, contracting_dims = [0] x [0] : (tensor<64x16xf32>, tensor<64x16xf32>) -> tensor<16x16xf32>
  %4 = stablehlo.add %sum, %3 : tensor<16x16xf32>
  return %4 : tensor<16x16xf32>
}

// Operands of two rows have fewer bytes than the sum. They are gathered before the loop, and each device adds up the whole.
// LOCAL-LABEL: func.func @few_rows(
// LOCAL-NOT: {{all_reduce|reduce_scatter}}
// LOCAL: "stablehlo.all_gather"(%arg0, %arg1){{.*}}
// LOCAL-NOT: {{all_reduce|reduce_scatter|all_gather}}
// LOCAL: stablehlo.while
// LOCAL-NOT: {{all_reduce|reduce_scatter|all_gather}}
// LOCAL: return %{{.*}}#1,
func.func @few_rows(%x: tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %g: tensor<2x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}, tensor<16x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %eight = stablehlo.constant dense<8> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<16x16xf32>
  %once = stablehlo.dot_general %x, %g, contracting_dims = [0] x [0] : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<16x16xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %none) : tensor<i32>, tensor<16x16xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %eight : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %one = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.add %i, %one : tensor<i32>
    %2 = func.call @turn_of_few_rows(%sum, %x, %g, %i) : (tensor<16x16xf32>, tensor<2x16xf32>, tensor<2x16xf32>, tensor<i32>) -> tensor<16x16xf32>
    stablehlo.return %1, %2 : tensor<i32>, tensor<16x16xf32>
  }
  return %0#1, %once : tensor<16x16xf32>, tensor<16x16xf32>
}
func.func private @turn_of_few_rows(%sum: tensor<16x16xf32>, %x: tensor<2x16xf32>, %g: tensor<2x16xf32>, %i: tensor<i32>) -> tensor<16x16xf32> {
  %0 = stablehlo.convert %i : (tensor<i32>) -> tensor<f32>
  %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<2x16xf32>
  %2 = stablehlo.multiply %x, %1 : tensor<2x16xf32>
  %3 = stablehlo.dot_general %2, %g, contracting_dims = [0] x [0] : (tensor<2x16xf32>, tensor<2x16xf32>) -> tensor<16x16xf32>
  %4 = stablehlo.add %sum, %3 : tensor<16x16xf32>
  return %4 : tensor<16x16xf32>
}

// The carry also takes up a decay that all devices hold. One device adds it; the carry is still reduced once.
// LOCAL-LABEL: func.func @with_decay(
// LOCAL: stablehlo.while
// LOCAL-NOT: {{all_reduce|reduce_scatter}}
// LOCAL: stablehlo.select
// LOCAL-NOT: {{all_reduce|reduce_scatter}}
// LOCAL: stablehlo.return %{{.*}} : tensor<i32>, tensor<6x5xf32>
// LOCAL: all_reduce
// LOCAL-NOT: {{all_reduce|reduce_scatter}}
// LOCAL: return
func.func @with_decay(%x: tensor<3x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                       %y: tensor<3x8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                       %w: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<6x5xf32>
  %rate = stablehlo.constant dense<0.5> : tensor<6x5xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %none) : tensor<i32>, tensor<6x5xf32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8, 6] : (tensor<3x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x6xf32>
    %2 = stablehlo.dynamic_slice %y, %i, %zero, %zero, sizes = [1, 8, 5] : (tensor<3x8x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x5xf32>
    %3 = stablehlo.dot_general %1, %2, contracting_dims = [0, 1] x [0, 1] : (tensor<1x8x6xf32>, tensor<1x8x5xf32>) -> tensor<6x5xf32>
    %4 = stablehlo.multiply %3, %rate : tensor<6x5xf32>
    %5 = stablehlo.multiply %w, %rate : tensor<6x5xf32>
    %6 = stablehlo.add %5, %4 : tensor<6x5xf32>
    %7 = stablehlo.add %sum, %6 : tensor<6x5xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %7 : tensor<i32>, tensor<6x5xf32>
  }
  return %0#1 : tensor<6x5xf32>
}

// The same where the gradient is scaled by a constant, behind a transpose.
// LOCAL-LABEL: func.func @with_decay_of_a_scaled_sum(
// LOCAL: stablehlo.while
// LOCAL-NOT: {{all_reduce|reduce_scatter}}
// LOCAL: stablehlo.select
// LOCAL-NOT: {{all_reduce|reduce_scatter}}
// LOCAL: stablehlo.return %{{.*}} : tensor<i32>, tensor<6x5xf32>
// LOCAL: all_reduce
// LOCAL-NOT: {{all_reduce|reduce_scatter}}
// LOCAL: return
func.func @with_decay_of_a_scaled_sum(%x: tensor<3x8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                       %y: tensor<3x8x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                       %w: tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) -> (tensor<6x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %none = stablehlo.constant dense<0.0> : tensor<6x5xf32>
  %rate = stablehlo.constant dense<0.5> : tensor<6x5xf32>
  %0:2 = stablehlo.while(%i = %zero, %sum = %none) : tensor<i32>, tensor<6x5xf32>
  cond {
    %p = stablehlo.compare LT, %i, %three : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %1 = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 8, 6] : (tensor<3x8x6xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x6xf32>
    %2 = stablehlo.dynamic_slice %y, %i, %zero, %zero, sizes = [1, 8, 5] : (tensor<3x8x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x8x5xf32>
    %3 = stablehlo.dot_general %2, %1, contracting_dims = [0, 1] x [0, 1] : (tensor<1x8x5xf32>, tensor<1x8x6xf32>) -> tensor<5x6xf32>
    %t = stablehlo.transpose %3, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
    %4 = stablehlo.multiply %rate, %t : tensor<6x5xf32>
    %5 = stablehlo.multiply %w, %rate : tensor<6x5xf32>
    %6 = stablehlo.add %5, %4 : tensor<6x5xf32>
    %7 = stablehlo.add %sum, %6 : tensor<6x5xf32>
    %next = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %next, %7 : tensor<i32>, tensor<6x5xf32>
  }
  return %0#1 : tensor<6x5xf32>
}

// RUN: spmd-run %s --why | FileCheck %s
// RUN: sed s/2880/3200/g %s | spmd-run - --why | FileCheck %s --check-prefix=LARGE

sdy.mesh @mesh = <["x"=8]>

// The weight takes just less than moves may by which loops hold more, and is gathered once, before the loop. A weight that takes
// more stays as it is; the carry moves instead.
// LARGE: collectives
// LARGE-NOT: all_gather {{.*}} %weight
// CHECK: collectives {{ *}}1, 29,030,400 bytes sent by each device
func.func @main(%rows: tensor<20x2048x2880xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>},
                %weight: tensor<2880x2880xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                %state: tensor<2048x2880xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<2048x2880xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %many = stablehlo.constant dense<20> : tensor<i32>
  %0:4 = stablehlo.while(%i = %zero, %w = %weight, %x = %rows, %h = %state) : tensor<i32>, tensor<2880x2880xf32>, tensor<20x2048x2880xf32>, tensor<2048x2880xf32>
  cond {
    %2 = stablehlo.compare LT, %i, %many, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  } do {
    %next = stablehlo.add %i, %one : tensor<i32>
    %slice = stablehlo.dynamic_slice %x, %i, %zero, %zero, sizes = [1, 2048, 2880] : (tensor<20x2048x2880xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x2048x2880xf32>
    %row = stablehlo.reshape %slice : (tensor<1x2048x2880xf32>) -> tensor<2048x2880xf32>
    %2 = stablehlo.dot_general %row, %w, contracting_dims = [1] x [0] : (tensor<2048x2880xf32>, tensor<2880x2880xf32>) -> tensor<2048x2880xf32>
    %3 = stablehlo.add %2, %h : tensor<2048x2880xf32>
    %4 = stablehlo.tanh %3 : tensor<2048x2880xf32>
    stablehlo.return %next, %w, %x, %4 : tensor<i32>, tensor<2880x2880xf32>, tensor<20x2048x2880xf32>, tensor<2048x2880xf32>
  }
  return %0#3 : tensor<2048x2880xf32>
}

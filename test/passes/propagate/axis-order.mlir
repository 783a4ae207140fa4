// RUN: spmd-opt %s --split-input-file --spmd-propagate --spmd-reshard | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=2, "z"=2]>

// Rows of %0 lie along "x", then "y"; those of %b along "y", behind which "x" would come. All that is made of both lies
// alike, and nothing moves in the loop.
// CHECK-LABEL: func.func @in_a_loop(
// CHECK: stablehlo.while
// CHECK-NOT: sdy.reshard
// CHECK: stablehlo.exponential{{.*}}[{"y", ?}, {"z", ?}]
// CHECK-NOT: sdy.reshard
// CHECK: }
func.func @in_a_loop(%a: tensor<6x7xf32>, %b: tensor<6x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<6x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %few = stablehlo.constant dense<4> : tensor<i32>
  %0 = sdy.sharding_constraint %a <@mesh, [{"x", "y"}, {"z"}]> : tensor<6x7xf32>
  %1:2 = stablehlo.while(%c = %b, %i = %zero) : tensor<6x7xf32>, tensor<i32>
    cond {
      %2 = stablehlo.compare LT, %i, %few : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %2 : tensor<i1>
    } do {
      %2 = stablehlo.add %c, %b : tensor<6x7xf32>
      %3 = stablehlo.tanh %2 : tensor<6x7xf32>
      %4 = stablehlo.exponential %b : tensor<6x7xf32>
      %5 = stablehlo.multiply %4, %0 : tensor<6x7xf32>
      %6 = stablehlo.subtract %3, %5 : tensor<6x7xf32>
      %7 = stablehlo.add %i, %one : tensor<i32>
      stablehlo.return %6, %7 : tensor<6x7xf32>, tensor<i32>
    }
  return %1#0 : tensor<6x7xf32>
}

// -----

sdy.mesh @mesh = <["one"=1, "y"=4]>

// An axis of one device in front of "y" is no other order: what lies along "y" stays so.
// CHECK-LABEL: func.func @one_device_in_front(
// CHECK: stablehlo.optimization_barrier {{.*}}[{"y", ?}]
func.func @one_device_in_front(%a: tensor<6xi32>)
    -> (tensor<6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>},
        tensor<6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"one", "y"}]>}, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %0 = stablehlo.optimization_barrier %a : tensor<6xi32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [0] : (tensor<6xi32>, tensor<i32>) -> tensor<i32>
  return %a, %0, %1 : tensor<6xi32>, tensor<6xi32>, tensor<i32>
}

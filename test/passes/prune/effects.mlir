// RUN: spmd-opt %s --spmd-prune | FileCheck %s

// What nobody reads is gone, in regions too, and calls that do no more than compute; with them what only they used.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @main(
// CHECK-NEXT: stablehlo.while
// CHECK: do {
// CHECK-NEXT: stablehlo.add
// CHECK-NEXT: stablehlo.return
// CHECK: }
// CHECK-NEXT: stablehlo.custom_call @unknown
// CHECK-NEXT: "stablehlo.outfeed"
// CHECK-NEXT: call @sends
// CHECK-NEXT: return
func.func @main(%a: tensor<8xf32>, %n: tensor<i1>, %t: !stablehlo.token) -> tensor<8xf32> {
  %0 = stablehlo.negate %a : tensor<8xf32>
  %1 = func.call @pure(%0) : (tensor<8xf32>) -> tensor<8xf32>
  %2 = stablehlo.while(%c = %a) : tensor<8xf32>
    cond { stablehlo.return %n : tensor<i1> }
    do {
      %dead = stablehlo.tanh %c : tensor<8xf32>
      %more = stablehlo.add %c, %c : tensor<8xf32>
      stablehlo.return %more : tensor<8xf32>
    }
  // A constraint has said how its operand lies, once shardings are known; what a custom call does nobody knows.
  %3 = stablehlo.abs %2 : tensor<8xf32>
  %4 = sdy.sharding_constraint %3 <@mesh, [{"x"}]> : tensor<8xf32>
  %5 = stablehlo.custom_call @unknown(%2) : (tensor<8xf32>) -> tensor<8xf32>
  %6 = "stablehlo.outfeed"(%2, %t) : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  %7 = func.call @sends(%2, %t) : (tensor<8xf32>, !stablehlo.token) -> tensor<8xf32>
  return %2 : tensor<8xf32>
}
// CHECK-NOT: @pure
func.func private @pure(%a: tensor<8xf32>) -> tensor<8xf32> {
  %0 = stablehlo.exponential %a : tensor<8xf32>
  return %0 : tensor<8xf32>
}
// CHECK: func.func private @sends
func.func private @sends(%a: tensor<8xf32>, %t: !stablehlo.token) -> tensor<8xf32> {
  %0 = "stablehlo.outfeed"(%a, %t) : (tensor<8xf32>, !stablehlo.token) -> !stablehlo.token
  return %a : tensor<8xf32>
}

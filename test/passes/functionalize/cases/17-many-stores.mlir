// RUN: spmd-opt %s --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize --spmd-functionalize | FileCheck %s
// RUN: spmd-opt %s --spmd-functionalize=functionalize=false | FileCheck %s --check-prefix=OFF
// RUN: %{both-modes}
// Twenty updates in place of one argument are one donation, of the argument to what it holds at the end.

sdy.mesh @mesh = <["x"=2, "y"=2]>

// CHECK-LABEL: func @main
// CHECK-SAME: (%{{[^:]*}}: tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>, tf.aliasing_output = 0 : i32}, %{{[^:]*}}: tensor<6x5xi32>)
// CHECK-SAME: -> (tensor<6x5xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>})
// CHECK-COUNT-20: stablehlo.add
// CHECK: return
// OFF-LABEL: func @main
// OFF-SAME: tf.aliasing_output = 0 : i32
// OFF-COUNT-20: spmd.store
func.func @main(%b: !spmd.buffer<tensor<6x5xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}, %t: tensor<6x5xi32>) {
  %l0 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s0 = stablehlo.add %l0, %t : tensor<6x5xi32>
  spmd.store %s0, %b : !spmd.buffer<tensor<6x5xi32>>
  %l1 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s1 = stablehlo.add %l1, %t : tensor<6x5xi32>
  spmd.store %s1, %b : !spmd.buffer<tensor<6x5xi32>>
  %l2 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s2 = stablehlo.add %l2, %t : tensor<6x5xi32>
  spmd.store %s2, %b : !spmd.buffer<tensor<6x5xi32>>
  %l3 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s3 = stablehlo.add %l3, %t : tensor<6x5xi32>
  spmd.store %s3, %b : !spmd.buffer<tensor<6x5xi32>>
  %l4 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s4 = stablehlo.add %l4, %t : tensor<6x5xi32>
  spmd.store %s4, %b : !spmd.buffer<tensor<6x5xi32>>
  %l5 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s5 = stablehlo.add %l5, %t : tensor<6x5xi32>
  spmd.store %s5, %b : !spmd.buffer<tensor<6x5xi32>>
  %l6 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s6 = stablehlo.add %l6, %t : tensor<6x5xi32>
  spmd.store %s6, %b : !spmd.buffer<tensor<6x5xi32>>
  %l7 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s7 = stablehlo.add %l7, %t : tensor<6x5xi32>
  spmd.store %s7, %b : !spmd.buffer<tensor<6x5xi32>>
  %l8 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s8 = stablehlo.add %l8, %t : tensor<6x5xi32>
  spmd.store %s8, %b : !spmd.buffer<tensor<6x5xi32>>
  %l9 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s9 = stablehlo.add %l9, %t : tensor<6x5xi32>
  spmd.store %s9, %b : !spmd.buffer<tensor<6x5xi32>>
  %l10 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s10 = stablehlo.add %l10, %t : tensor<6x5xi32>
  spmd.store %s10, %b : !spmd.buffer<tensor<6x5xi32>>
  %l11 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s11 = stablehlo.add %l11, %t : tensor<6x5xi32>
  spmd.store %s11, %b : !spmd.buffer<tensor<6x5xi32>>
  %l12 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s12 = stablehlo.add %l12, %t : tensor<6x5xi32>
  spmd.store %s12, %b : !spmd.buffer<tensor<6x5xi32>>
  %l13 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s13 = stablehlo.add %l13, %t : tensor<6x5xi32>
  spmd.store %s13, %b : !spmd.buffer<tensor<6x5xi32>>
  %l14 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s14 = stablehlo.add %l14, %t : tensor<6x5xi32>
  spmd.store %s14, %b : !spmd.buffer<tensor<6x5xi32>>
  %l15 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s15 = stablehlo.add %l15, %t : tensor<6x5xi32>
  spmd.store %s15, %b : !spmd.buffer<tensor<6x5xi32>>
  %l16 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s16 = stablehlo.add %l16, %t : tensor<6x5xi32>
  spmd.store %s16, %b : !spmd.buffer<tensor<6x5xi32>>
  %l17 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s17 = stablehlo.add %l17, %t : tensor<6x5xi32>
  spmd.store %s17, %b : !spmd.buffer<tensor<6x5xi32>>
  %l18 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s18 = stablehlo.add %l18, %t : tensor<6x5xi32>
  spmd.store %s18, %b : !spmd.buffer<tensor<6x5xi32>>
  %l19 = spmd.load %b : !spmd.buffer<tensor<6x5xi32>>
  %s19 = stablehlo.add %l19, %t : tensor<6x5xi32>
  spmd.store %s19, %b : !spmd.buffer<tensor<6x5xi32>>
  return
}

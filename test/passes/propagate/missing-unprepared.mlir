// RUN: spmd-opt %s --spmd-propagate -o /dev/null 2>&1 | FileCheck %s
// RUN: spmd-opt %s --spmd-flatten-tuples --spmd-refine-shapes --spmd-legalize-chlo --spmd-propagate 2>&1 | FileCheck %s --check-prefix=READY

// What takes no part for want of another pass says which to run. Behind these nothing is missing.
// CHECK-NOT: tuple
// CHECK: note: 'stablehlo.dynamic_reshape' takes sizes as operands, so nothing passes through it; run --spmd-refine-shapes first
// CHECK: note: 'chlo.scan' stands for other ops, so nothing passes through it; run --spmd-legalize-chlo first
// CHECK: note: 'stablehlo.custom_call' stands for other ops, so nothing passes through it; run --spmd-legalize-chlo first
// CHECK: note: 'stablehlo.custom_call' has no sharding rule, so nothing passes through it{{$}}
// READY-NOT: run --spmd
// READY: warning: 'stablehlo.custom_call' op result 0 has no sharding
// READY-NOT: warning:
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<4x6xf32>, tensor<24xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
  %t = stablehlo.tuple %a, %a : tuple<tensor<4x6xf32>, tensor<4x6xf32>>
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<4x6xf32>, tensor<4x6xf32>>) -> tensor<4x6xf32>
  %size = stablehlo.constant dense<24> : tensor<1xi32>
  %1 = stablehlo.dynamic_reshape %a, %size : (tensor<4x6xf32>, tensor<1xi32>) -> tensor<24xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<6xf32>
  %2, %3 = chlo.scan(%a) inits (%zero) dimension=0 {
  ^bb0(%row: tensor<6xf32>, %carry: tensor<6xf32>):
    %sum = stablehlo.add %row, %carry : tensor<6xf32>
    stablehlo.return %sum, %sum : tensor<6xf32>, tensor<6xf32>
  } : (tensor<4x6xf32>, tensor<6xf32>) -> (tensor<4x6xf32>, tensor<6xf32>)
  %4 = stablehlo.custom_call @mhlo.erf(%a) {mhlo.attributes = {}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  %5 = stablehlo.custom_call @mine(%a) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0, %1, %2, %4, %5 : tensor<4x6xf32>, tensor<24xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
}

// RUN: spmd-opt %s --spmd-pipeline="inline-functions=false stop-after=partition" | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline="stop-after=partition" | FileCheck %s --check-prefix=SHORT

// Every function stays, with one clone for each way in which it is used; by default short ones are written out.
// CHECK-LABEL: func.func @main(
// CHECK: call @square(%{{.*}}) : (tensor<4x8xf32>)
// CHECK: call @square_1(%{{.*}}) : (tensor<8x4xf32>)
// CHECK: call @square(%{{.*}}) : (tensor<4x8xf32>)
// CHECK: func.func private @square(
// CHECK: func.func private @square_1(
// CHECK-NOT: func.func
// SHORT-NOT: call @
sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
                %b: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>) {
  %0 = call @square(%a) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %1 = call @square(%b) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  %2 = call @square(%0) : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return %0, %1, %2 : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
}
func.func private @square(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %0 = stablehlo.multiply %a, %a : tensor<8x8xf32>
  return %0 : tensor<8x8xf32>
}

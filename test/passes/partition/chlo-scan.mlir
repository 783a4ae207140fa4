// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s

sdy.mesh @mesh = <["x"=2, "y"=3]>

// A scan is a loop before anything is split: what it does not run along splits, and nothing is moved.
// CHECK-LABEL: func public @scan
// CHECK-NOT: "stablehlo.all
// CHECK: stablehlo.while
// CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<3xf32>
// CHECK-NOT: "stablehlo.all
// CHECK: return
func.func public @scan(%x: tensor<10x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>},
                       %c: tensor<6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<10x6xf32>, tensor<6xf32>) {
  %0:2 = chlo.scan(%x) inits (%c) dimension=0 {
  ^bb0(%a: tensor<6xf32>, %b: tensor<6xf32>):
    %sum = stablehlo.add %a, %b : tensor<6xf32>
    stablehlo.return %sum, %sum : tensor<6xf32>, tensor<6xf32>
  } : (tensor<10x6xf32>, tensor<6xf32>) -> (tensor<10x6xf32>, tensor<6xf32>)
  return %0#0, %0#1 : tensor<10x6xf32>, tensor<6xf32>
}

// RUN: spmd-opt %s --spmd-pipeline 2>%t.err | FileCheck %s
// RUN: FileCheck %s --check-prefix=WARN < %t.err

sdy.mesh @mesh = <["x"=2]>

// What has no rule runs whole on every device, and says so; tokens pass between as they are.
// CHECK-LABEL: func @transfers
func.func @transfers(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // CHECK: %[[TOKEN:.*]] = stablehlo.after_all : !stablehlo.token
  %0 = stablehlo.after_all : !stablehlo.token
  // CHECK: %[[WHOLE:.*]] = "stablehlo.all_gather"(%{{.*}})
  // CHECK: %[[SENT:.*]] = "stablehlo.outfeed"(%[[WHOLE]], %[[TOKEN]]) {{.*}} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  // WARN: warning: 'stablehlo.outfeed' op has no sharding rule; every device runs it whole
  %1 = "stablehlo.outfeed"(%x, %0) <{outfeed_config = ""}> : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: %[[READ:.*]]:2 = "stablehlo.infeed"(%[[SENT]]) {{.*}} : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  %2:2 = "stablehlo.infeed"(%1) <{infeed_config = ""}> : (!stablehlo.token) -> (tensor<4xf32>, !stablehlo.token)
  // CHECK: %[[PART:.*]] = stablehlo.dynamic_slice %[[READ]]#0
  // CHECK: stablehlo.add %[[PART]], %{{.*}} : tensor<2xf32>
  %3 = stablehlo.add %2#0, %x : tensor<4xf32>
  return %3 : tensor<4xf32>
}

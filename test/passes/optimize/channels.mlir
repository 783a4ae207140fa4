// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s

sdy.mesh @mesh = <["x"=2]>

// Channels that the program's own transfers have are not given to collectives, which no consumer would take.
// CHECK-LABEL: func.func @main(
// CHECK: "stablehlo.all_gather"{{.*}}channel_handle<handle = 2, type = 1>
// CHECK: "stablehlo.send"{{.*}}channel_handle<handle = 1, type = 2>
// CHECK: "stablehlo.recv"{{.*}}channel_handle<handle = 3, type = 3>
// CHECK: "stablehlo.all_gather"{{.*}}channel_handle<handle = 4, type = 1>
func.func @main(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x6xf32> {
  %0 = stablehlo.create_token : !stablehlo.token
  %1 = "stablehlo.send"(%a, %0) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  %2:2 = "stablehlo.recv"(%1) {channel_handle = #stablehlo.channel_handle<handle = 3, type = 3>, is_host_transfer = true} : (!stablehlo.token) -> (tensor<4x6xf32>, !stablehlo.token)
  %3 = stablehlo.add %2#0, %a : tensor<4x6xf32>
  %4 = "stablehlo.send"(%3, %2#1) {channel_handle = #stablehlo.channel_handle<handle = 1, type = 2>, is_host_transfer = true} : (tensor<4x6xf32>, !stablehlo.token) -> !stablehlo.token
  return %3 : tensor<4x6xf32>
}

// A collective that the program wrote without a channel gets one, and groups that list devices say so.
// CHECK-LABEL: func.func @written(
// CHECK: "stablehlo.all_reduce"{{.*}}channel_handle<handle = 5, type = 1>{{.*}}use_global_device_ids
func.func @written(%a: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x6xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<2x6xf32>) {
    %1 = "stablehlo.all_reduce"(%b) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
    ^bb0(%c: tensor<f32>, %d: tensor<f32>):
      %2 = stablehlo.add %c, %d : tensor<f32>
      stablehlo.return %2 : tensor<f32>
    }) : (tensor<2x6xf32>) -> tensor<2x6xf32>
    sdy.return %1 : tensor<2x6xf32>
  } : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return %0 : tensor<4x6xf32>
}

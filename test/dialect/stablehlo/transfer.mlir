// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @tokens
func.func @tokens() {
  // CHECK: stablehlo.create_token : !stablehlo.token
  %0 = stablehlo.create_token : !stablehlo.token
  // CHECK: stablehlo.after_all : !stablehlo.token
  %1 = stablehlo.after_all : !stablehlo.token
  // CHECK: stablehlo.after_all %{{.*}}, %{{.*}} : !stablehlo.token
  %2 = stablehlo.after_all %0, %1 : !stablehlo.token
  return
}

// CHECK-LABEL: func @host
func.func @host(%x: tensor<3xf32>, %t: !stablehlo.token) {
  // CHECK: "stablehlo.infeed"(%{{.*}}) <{infeed_config = "a", layout = {{\[\[}}1, 0]]}> : (!stablehlo.token) -> (tensor<3x2xf32>, !stablehlo.token)
  %0:2 = "stablehlo.infeed"(%t) <{infeed_config = "a", layout = [[1, 0]]}> : (!stablehlo.token) -> (tensor<3x2xf32>, !stablehlo.token)
  // CHECK: "stablehlo.infeed"(%{{.*}}) : (!stablehlo.token) -> !stablehlo.token
  %1 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> !stablehlo.token
  // CHECK: "stablehlo.outfeed"(%{{.*}}, %{{.*}}) <{outfeed_config = "b"}> : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  %2 = "stablehlo.outfeed"(%x, %t) <{outfeed_config = "b"}> : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: "stablehlo.send"(%{{.*}}, %{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  %3 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 2>, is_host_transfer = true}> : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: "stablehlo.recv"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  %4:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 3>, is_host_transfer = true}> : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// CHECK-LABEL: func @devices
func.func @devices(%x: tensor<3xf32>, %t: !stablehlo.token) {
  // CHECK: "stablehlo.send"(%{{.*}}, %{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<{{\[\[}}0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  %0 = "stablehlo.send"(%x, %t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (tensor<3xf32>, !stablehlo.token) -> !stablehlo.token
  // CHECK: "stablehlo.recv"(%{{.*}}) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<{{\[\[}}0, 1], [1, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  %1:2 = "stablehlo.recv"(%t) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> : (!stablehlo.token) -> (tensor<3xf32>, !stablehlo.token)
  return
}

// CHECK-LABEL: func @asynchronous
func.func @asynchronous(%x: tensor<4x6xf32>) {
  // CHECK: "stablehlo.async_start"(%{{.*}}) ({
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<4x6xf32>):
  // CHECK-NEXT: stablehlo.slice %{{.*}} [0:4, 2:6] : (tensor<4x6xf32>) -> tensor<4x4xf32>
  // CHECK-NEXT: stablehlo.return %{{.*}} : tensor<4x4xf32>
  // CHECK-NEXT: }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<4x4xf32>>
  %0 = "stablehlo.async_start"(%x) ({
  ^bb0(%a: tensor<4x6xf32>):
    %2 = stablehlo.slice %a [0:4, 2:6] : (tensor<4x6xf32>) -> tensor<4x4xf32>
    stablehlo.return %2 : tensor<4x4xf32>
  }) : (tensor<4x6xf32>) -> !stablehlo.future<tensor<4x4xf32>>
  // CHECK: "stablehlo.async_done"(%{{.*}}) : (!stablehlo.future<tensor<4x4xf32>>) -> tensor<4x4xf32>
  %1 = "stablehlo.async_done"(%0) : (!stablehlo.future<tensor<4x4xf32>>) -> tensor<4x4xf32>
  return
}

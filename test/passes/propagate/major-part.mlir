// RUN: spmd-opt %s --spmd-propagate | FileCheck %s

// The second result is cut in parts of four and 65536, and pinned as it lies if nothing is said of it: "y" and the major half of
// "x" split the four, the rest of "x" what is behind. All that the four are the rows of still want all of "x".
sdy.mesh @mesh = <["x"=4, "y"=2]>

// CHECK-LABEL: func.func @open
// CHECK-SAME: %arg0: tensor<256x1024x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", "x", ?}, {?}]>
// CHECK-SAME: tensor<4x4x65536xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", "x":(1)2, ?}, {"x":(2)2, ?}]>
// CHECK-NOT: replicated
// CHECK-LABEL: func.func @pinned
// CHECK-SAME: %arg0: tensor<256x1024x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", "x", ?}, {?}]>
// CHECK-NOT: replicated
func.func @open(%arg0: tensor<256x1024x4xf32>, %arg1: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x", ?}]>})
    -> (tensor<1024x256xf32>, tensor<4x4x65536xf32>, tensor<57977x4xf32>, tensor<4x4x256x256x64xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.tanh %arg0 : tensor<256x1024x4xf32>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [1] : (tensor<256x1024x4xf32>, tensor<256x1024xf32>) -> tensor<256x4x256xf32>
  %2 = stablehlo.reshape %1 : (tensor<256x4x256xf32>) -> tensor<1024x256xf32>
  %3 = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<256x1024x4xf32>) -> tensor<4x1024x256xf32>
  %4 = stablehlo.reshape %3 : (tensor<4x1024x256xf32>) -> tensor<4x262144xf32>
  %5 = stablehlo.reshape %4 : (tensor<4x262144xf32>) -> tensor<4x4x65536xf32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x1024x256xf32>) -> tensor<4x1024x256x64xf32>
  %7 = stablehlo.transpose %4, dims = [1, 0] : (tensor<4x262144xf32>) -> tensor<262144x4xf32>
  %8 = stablehlo.slice %7 [2:57979, 0:4] : (tensor<262144x4xf32>) -> tensor<57977x4xf32>
  %9 = stablehlo.reshape %6 : (tensor<4x1024x256x64xf32>) -> tensor<4x4x256x256x64xf32>
  return %2, %5, %8, %9 : tensor<1024x256xf32>, tensor<4x4x65536xf32>, tensor<57977x4xf32>, tensor<4x4x256x256x64xf32>
}

func.func @pinned(%arg0: tensor<256x1024x4xf32>, %arg1: tensor<256x1024xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y", "x", ?}]>})
    -> (tensor<1024x256xf32>, tensor<4x4x65536xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"y", "x":(1)2, ?}, {"x":(2)2, ?}]>}, tensor<57977x4xf32>, tensor<4x4x256x256x64xf32>) {
  %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
  %0 = stablehlo.tanh %arg0 : tensor<256x1024x4xf32>
  %1 = stablehlo.dot_general %0, %arg1, contracting_dims = [1] x [1] : (tensor<256x1024x4xf32>, tensor<256x1024xf32>) -> tensor<256x4x256xf32>
  %2 = stablehlo.reshape %1 : (tensor<256x4x256xf32>) -> tensor<1024x256xf32>
  %3 = stablehlo.transpose %arg0, dims = [2, 1, 0] : (tensor<256x1024x4xf32>) -> tensor<4x1024x256xf32>
  %4 = stablehlo.reshape %3 : (tensor<4x1024x256xf32>) -> tensor<4x262144xf32>
  %5 = stablehlo.reshape %4 : (tensor<4x262144xf32>) -> tensor<4x4x65536xf32>
  %6 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<4x1024x256xf32>) -> tensor<4x1024x256x64xf32>
  %7 = stablehlo.transpose %4, dims = [1, 0] : (tensor<4x262144xf32>) -> tensor<262144x4xf32>
  %8 = stablehlo.slice %7 [2:57979, 0:4] : (tensor<262144x4xf32>) -> tensor<57977x4xf32>
  %9 = stablehlo.reshape %6 : (tensor<4x1024x256x64xf32>) -> tensor<4x4x256x256x64xf32>
  return %2, %5, %8, %9 : tensor<1024x256xf32>, tensor<4x4x65536xf32>, tensor<57977x4xf32>, tensor<4x4x256x256x64xf32>
}

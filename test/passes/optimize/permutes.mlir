// RUN: spmd-opt %s --spmd-optimize | FileCheck %s

module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
// A shift and what wraps around are one permute; who is not meant has zeros, as before.
// CHECK-LABEL: func.func @ring(
// CHECK: %[[ALL:.*]] = "stablehlo.collective_permute"(%{{.*}}) <{{.*}}source_target_pairs = dense<{{\[\[}}0, 1], [1, 2], [2, 3], [3, 0]]>
// CHECK-NOT: collective_permute
// CHECK: %[[OWN:.*]] = stablehlo.partition_id
// CHECK: %[[ONE:.*]] = stablehlo.constant dense<1> : tensor<ui32>
// CHECK: %[[WRAPS:.*]] = stablehlo.compare LT, %[[OWN]], %[[ONE]], UNSIGNED
// CHECK: %[[SHIFTED:.*]] = stablehlo.select %[[WRAPS]], %{{.*}}, %[[ALL]]
// CHECK: %[[WRAPPED:.*]] = stablehlo.select %[[WRAPS]], %[[ALL]], %{{.*}}
// CHECK: return %[[SHIFTED]], %[[WRAPPED]]
func.func @ring(%a: tensor<4xf32>) -> (tensor<1xf32>, tensor<1xf32>) {
  %0 = stablehlo.slice %a [3:4] : (tensor<4xf32>) -> tensor<1xf32>
  %1 = "stablehlo.collective_permute"(%0) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1], [1, 2], [2, 3]]> : tensor<3x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
  %2 = stablehlo.slice %a [3:4] : (tensor<4xf32>) -> tensor<1xf32>
  %3 = "stablehlo.collective_permute"(%2) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[3, 0]]> : tensor<1x2xi64>}> : (tensor<1xf32>) -> tensor<1xf32>
  return %1, %3 : tensor<1xf32>, tensor<1xf32>
}

// Devices send different values.
// CHECK-LABEL: func.func @two(
// CHECK: %[[SENT:.*]] = stablehlo.select %{{.*}}, %arg1, %arg0
// CHECK: "stablehlo.collective_permute"(%[[SENT]]) <{{.*}}dense<{{\[\[}}0, 1], [2, 3]]>
// CHECK-NOT: collective_permute
func.func @two(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %1 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[2, 3]]> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// What the second sends is cut out behind the first, whose result is read in between; the cut can go before it.
// CHECK-LABEL: func.func @cuts(
// CHECK: %[[LOW:.*]] = stablehlo.dynamic_slice %arg0, %arg1
// CHECK: %[[HIGH:.*]] = stablehlo.dynamic_slice %arg0, %arg2
// CHECK: %[[SENT:.*]] = stablehlo.select %{{.*}}, %[[HIGH]], %[[LOW]]
// CHECK: "stablehlo.collective_permute"(%[[SENT]]) <{{.*}}dense<{{\[\[}}0, 1], [2, 3]]>
// CHECK-NOT: collective_permute
func.func @cuts(%a: tensor<4xi32>, %i: tensor<i32>, %k: tensor<i32>) -> (tensor<2xi32>, tensor<2xi32>) {
  %low = stablehlo.dynamic_slice %a, %i, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %0 = "stablehlo.collective_permute"(%low) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
  %1 = stablehlo.add %0, %0 : tensor<2xi32>
  %high = stablehlo.dynamic_slice %a, %k, sizes = [2] : (tensor<4xi32>, tensor<i32>) -> tensor<2xi32>
  %2 = "stablehlo.collective_permute"(%high) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[2, 3]]> : tensor<1x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
  return %1, %2 : tensor<2xi32>, tensor<2xi32>
}

// One waits for the other; one device would send twice; one would receive twice; types differ.
// CHECK-LABEL: func.func @apart(
// CHECK-COUNT-5: "stablehlo.collective_permute"
func.func @apart(%a: tensor<4xi32>, %b: tensor<2xi32>) -> (tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2xi32>) {
  %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %s = stablehlo.add %0, %0 : tensor<4xi32>
  %1 = "stablehlo.collective_permute"(%s) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[1, 2]]> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %2 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, source_target_pairs = dense<[[2, 3], [0, 0]]> : tensor<2x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %3 = "stablehlo.collective_permute"(%1) <{channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>, source_target_pairs = dense<[[1, 3], [2, 1]]> : tensor<2x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %4 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>, source_target_pairs = dense<[[3, 2]]> : tensor<1x2xi64>}> : (tensor<2xi32>) -> tensor<2xi32>
  return %2, %3, %1, %4 : tensor<4xi32>, tensor<4xi32>, tensor<4xi32>, tensor<2xi32>
}

// Those who stand at one coordinate have ids at one distance.
// CHECK-LABEL: func.func @who(
// CHECK: %[[THREE:.*]] = stablehlo.constant dense<3> : tensor<ui32>
// CHECK: %[[FIRST:.*]] = stablehlo.remainder %{{.*}}, %[[THREE]]
// CHECK: stablehlo.compare LT, %[[FIRST]], %{{.*}}, UNSIGNED
// CHECK: %[[TWO:.*]] = stablehlo.constant dense<2> : tensor<ui32>
// CHECK: %[[PLACE:.*]] = stablehlo.remainder %{{.*}}, %[[TWO]]
// CHECK: %[[LESS:.*]] = stablehlo.subtract %[[PLACE]], %{{.*}} : tensor<ui32>
// CHECK: stablehlo.compare LT, %[[LESS]], %{{.*}}, UNSIGNED
func.func @who(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0], [2, 2]]> : tensor<2x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %1 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 3], [3, 1]]> : tensor<2x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}

// Any others are looked up, of few devices.
// CHECK-LABEL: func.func @others(
// CHECK: %[[TABLE:.*]] = stablehlo.constant dense<[true, false, true, true]> : tensor<4xi1>
// CHECK: stablehlo.dynamic_slice %[[TABLE]], %{{.*}}, sizes = [1]
func.func @others(%a: tensor<4xi32>, %b: tensor<4xi32>) -> (tensor<4xi32>, tensor<4xi32>) {
  %0 = "stablehlo.collective_permute"(%a) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, source_target_pairs = dense<[[1, 0]]> : tensor<1x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  %1 = "stablehlo.collective_permute"(%b) <{channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, source_target_pairs = dense<[[0, 3], [2, 2], [3, 1]]> : tensor<3x2xi64>}> : (tensor<4xi32>) -> tensor<4xi32>
  return %0, %1 : tensor<4xi32>, tensor<4xi32>
}
}

// RUN: spmd-opt %s --spmd-optimize -o %t.1 && FileCheck %s < %t.1
// RUN: spmd-opt %t.1 --spmd-optimize | diff %t.1 -

module attributes {mhlo.num_partitions = 2 : i32, mhlo.num_replicas = 1 : i32} {

// Weights that are gathered again behind a barrier wait for what was made last before it, be barriers dropped: they take an
// element of it along, once. Where that is as near as the weights, nothing is added.
// CHECK-LABEL: func.func @main
// CHECK: %[[OUT:.*]]:2 = stablehlo.optimization_barrier %arg0, %{{.*}} : tensor<2x6xf32>, tensor<4x6xf32>
// CHECK: %[[CORNER:.*]] = stablehlo.slice %[[OUT]]#1 [0:1, 0:1] : (tensor<4x6xf32>) -> tensor<1x1xf32>
// CHECK: %[[LINE:.*]] = stablehlo.reshape %[[CORNER]] : (tensor<1x1xf32>) -> tensor<1xf32>
// CHECK: %[[AGAIN:.*]]:2 = "stablehlo.all_gather"(%{{.*}}, %[[LINE]]){{.*}} : (tensor<2x6xf32>, tensor<1xf32>) -> (tensor<4x6xf32>, tensor<2xf32>)
// CHECK: stablehlo.multiply %[[AGAIN]]#0, %[[OUT]]#1
// CHECK: %[[NEAR:.*]]:2 = stablehlo.optimization_barrier %[[PRODUCT:.*]], %[[SUM:.*]] :
// CHECK: "stablehlo.all_gather"(%[[NEAR]]#0){{.*}} : (tensor<4x6xf32>) -> tensor<8x6xf32>
func.func @main(%w: tensor<2x6xf32>) -> (tensor<8x6xf32>, tensor<4x6xf32>) {
  %1 = "stablehlo.all_gather"(%w) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x6xf32>) -> tensor<4x6xf32>
  %2 = stablehlo.tanh %1 : tensor<4x6xf32>
  %3 = stablehlo.tanh %2 : tensor<4x6xf32>
  %4 = stablehlo.tanh %3 : tensor<4x6xf32>
  %5 = stablehlo.tanh %4 : tensor<4x6xf32>
  %6 = stablehlo.tanh %5 : tensor<4x6xf32>
  %7 = stablehlo.tanh %6 : tensor<4x6xf32>
  %8 = stablehlo.tanh %7 : tensor<4x6xf32>
  %9 = stablehlo.tanh %8 : tensor<4x6xf32>
  %10 = stablehlo.tanh %9 : tensor<4x6xf32>
  %11 = stablehlo.tanh %10 : tensor<4x6xf32>
  %12 = stablehlo.tanh %11 : tensor<4x6xf32>
  %13 = stablehlo.tanh %12 : tensor<4x6xf32>
  %14 = stablehlo.tanh %13 : tensor<4x6xf32>
  %15 = stablehlo.tanh %14 : tensor<4x6xf32>
  %16 = stablehlo.tanh %15 : tensor<4x6xf32>
  %17 = stablehlo.tanh %16 : tensor<4x6xf32>
  %18 = stablehlo.tanh %17 : tensor<4x6xf32>
  %19 = stablehlo.tanh %18 : tensor<4x6xf32>
  %20 = stablehlo.tanh %19 : tensor<4x6xf32>
  %21 = stablehlo.tanh %20 : tensor<4x6xf32>
  %22 = stablehlo.tanh %21 : tensor<4x6xf32>
  %23 = stablehlo.tanh %22 : tensor<4x6xf32>
  %24 = stablehlo.tanh %23 : tensor<4x6xf32>
  %25 = stablehlo.tanh %24 : tensor<4x6xf32>
  %26 = stablehlo.tanh %25 : tensor<4x6xf32>
  %27 = stablehlo.tanh %26 : tensor<4x6xf32>
  %28 = stablehlo.tanh %27 : tensor<4x6xf32>
  %29 = stablehlo.tanh %28 : tensor<4x6xf32>
  %30 = stablehlo.tanh %29 : tensor<4x6xf32>
  %31 = stablehlo.tanh %30 : tensor<4x6xf32>
  %32 = stablehlo.tanh %31 : tensor<4x6xf32>
  %33 = stablehlo.tanh %32 : tensor<4x6xf32>
  %34 = stablehlo.tanh %33 : tensor<4x6xf32>
  %35 = stablehlo.tanh %34 : tensor<4x6xf32>
  %36 = stablehlo.tanh %35 : tensor<4x6xf32>
  %37 = stablehlo.tanh %36 : tensor<4x6xf32>
  %38 = stablehlo.tanh %37 : tensor<4x6xf32>
  %39 = stablehlo.tanh %38 : tensor<4x6xf32>
  %40 = stablehlo.tanh %39 : tensor<4x6xf32>
  %out:2 = stablehlo.optimization_barrier %w, %40 : tensor<2x6xf32>, tensor<4x6xf32>
  %negated = stablehlo.negate %out#0 : tensor<2x6xf32>
  %again = "stablehlo.all_gather"(%negated) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<2x6xf32>) -> tensor<4x6xf32>
  %product = stablehlo.multiply %again, %out#1 : tensor<4x6xf32>
  %sum = stablehlo.add %product, %again : tensor<4x6xf32>
  %near:2 = stablehlo.optimization_barrier %product, %sum : tensor<4x6xf32>, tensor<4x6xf32>
  %both = "stablehlo.all_gather"(%near#0) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
  return %both, %near#1 : tensor<8x6xf32>, tensor<4x6xf32>
}
}

// RUN: spmd-opt %s --spmd-optimize | FileCheck %s
// RUN: spmd-opt %s --spmd-optimize="hoist=0 bucket-bytes=0 gathers=recompute" | FileCheck %s --check-prefix=STAY
// RUN: not spmd-opt %s --spmd-optimize=hoist=-1 2>&1 | FileCheck %s --check-prefix=NEGATIVE
// NEGATIVE: hoist option: '-1' value invalid
// RUN: not spmd-opt %s --spmd-optimize=gathers=never 2>&1 | FileCheck %s --check-prefix=NEVER
// NEVER: for the --gathers option: Cannot find option named 'never'!
// What was written is run as it is, and once more as it comes out, both ways: the same numbers.
// RUN: rm -rf %t && mkdir %t
// RUN: spmd-opt %s --spmd-optimize -o %t/optimized.mlir
// RUN: spmd-opt %s --spmd-optimize="hoist=0 bucket-bytes=0 gathers=recompute" -o %t/stay.mlir
// RUN: spmd-run %s --seed=5 --out %t/results
// RUN: spmd-run %t/optimized.mlir --seed=5 --expect %t/results --rtol=0 --atol=0 | FileCheck %s --check-prefix=EQUAL
// RUN: spmd-run %t/stay.mlir --seed=5 --expect %t/results --rtol=0 --atol=0 | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: yes

module attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 1 : i32} {
sdy.mesh @mesh = <["x"=4]>

func.func @main(
    %f: tensor<2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x4xf32>},
    %b: tensor<2x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>, spmd.global_type = tensor<8x4xbf16>}) -> (
    tensor<8x4xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x4xbf16>},
    tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x4xf32>},
    tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x4xf32>},
    tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x4xf32>},
    tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<8x4xf32>},
    tensor<4x8xbf16> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>, spmd.global_type = tensor<4x8xbf16>},
    tensor<4x2x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>, spmd.global_type = tensor<4x2x4xf32>}) {
  %0:2 = call @narrow(%f, %b) : (tensor<2x4xf32>, tensor<2x4xbf16>) -> (tensor<8x4xbf16>, tensor<8x4xf32>)
  %1 = call @loop(%f) : (tensor<2x4xf32>) -> tensor<8x4xf32>
  %2:2 = call @two(%f) : (tensor<2x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>)
  %3:2 = call @narrow_elsewhere(%f, %b) : (tensor<2x4xf32>, tensor<2x4xbf16>) -> (tensor<4x8xbf16>, tensor<4x2x4xf32>)
  return %0#0, %0#1, %1, %2#0, %2#1, %3#0, %3#1 : tensor<8x4xbf16>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<8x4xf32>, tensor<4x8xbf16>, tensor<4x2x4xf32>
}

// Fewer bits travel: what is read as bf16 is gathered as such, and so is what was made of bf16.
// CHECK-LABEL: func.func private @narrow(
// CHECK: %[[NARROW:.+]] = stablehlo.convert %arg0 : (tensor<2x4xf32>) -> tensor<2x4xbf16>
// CHECK: %[[BOTH:.+]]:2 = "stablehlo.all_gather"(%[[NARROW]], %arg1) <{all_gather_dim = 0
// CHECK-SAME: (tensor<2x4xbf16>, tensor<2x4xbf16>) -> (tensor<8x4xbf16>, tensor<8x4xbf16>)
// CHECK: %[[WIDE:.+]] = stablehlo.convert %[[BOTH]]#1 : (tensor<8x4xbf16>) -> tensor<8x4xf32>
// CHECK: return %[[BOTH]]#0, %[[WIDE]]
func.func private @narrow(%f: tensor<2x4xf32>, %b: tensor<2x4xbf16>) -> (tensor<8x4xbf16>, tensor<8x4xf32>) {
  %0 = "stablehlo.all_gather"(%f) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.convert %0 : (tensor<8x4xf32>) -> tensor<8x4xbf16>
  %2 = stablehlo.convert %b : (tensor<2x4xbf16>) -> tensor<2x4xf32>
  %3 = "stablehlo.all_gather"(%2) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
  return %1, %3 : tensor<8x4xbf16>, tensor<8x4xf32>
}

// Also where elements are put elsewhere between the move and the conversion.
// CHECK-LABEL: func.func private @narrow_elsewhere(
// CHECK: %[[PUT:.+]] = stablehlo.reshape %arg1 : (tensor<2x4xbf16>) -> tensor<1x2x4xbf16>
// CHECK: %[[NARROW:.+]] = stablehlo.convert %arg0 : (tensor<2x4xf32>) -> tensor<2x4xbf16>
// CHECK: %[[BOTH:.+]]:2 = "stablehlo.all_gather"(%[[PUT]], %[[NARROW]]) <{all_gather_dim = 0
// CHECK: %[[WIDE:.+]] = stablehlo.convert %[[BOTH]]#0 : (tensor<4x2x4xbf16>) -> tensor<4x2x4xf32>
// CHECK: %[[BACK:.+]] = stablehlo.reverse %[[BOTH]]#1, dims = [1] : tensor<8x4xbf16>
// CHECK: %[[TURNED:.+]] = stablehlo.transpose %[[BACK]], dims = [1, 0] : (tensor<8x4xbf16>) -> tensor<4x8xbf16>
// CHECK: return %[[TURNED]], %[[WIDE]]
func.func private @narrow_elsewhere(%f: tensor<2x4xf32>, %b: tensor<2x4xbf16>) -> (tensor<4x8xbf16>, tensor<4x2x4xf32>) {
  %0 = "stablehlo.all_gather"(%f) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.reverse %0, dims = [1] : tensor<8x4xf32>
  %2 = stablehlo.transpose %1, dims = [1, 0] : (tensor<8x4xf32>) -> tensor<4x8xf32>
  %3 = stablehlo.convert %2 : (tensor<4x8xf32>) -> tensor<4x8xbf16>
  %4 = stablehlo.convert %b : (tensor<2x4xbf16>) -> tensor<2x4xf32>
  %5 = stablehlo.reshape %4 : (tensor<2x4xf32>) -> tensor<1x2x4xf32>
  %6 = "stablehlo.all_gather"(%5) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<1x2x4xf32>) -> tensor<4x2x4xf32>
  return %3, %6 : tensor<4x8xbf16>, tensor<4x2x4xf32>
}

// What is handed through the loop as it is, is gathered once, before it; not what changes.
// CHECK-LABEL: func.func private @loop(
// CHECK: %[[TWICE:.+]] = stablehlo.add %arg0, %arg0
// CHECK: %[[ONCE:.+]] = "stablehlo.all_gather"(%[[TWICE]])
// CHECK: stablehlo.while
// CHECK: %[[EACH:.+]] = "stablehlo.all_gather"(%{{[^)]+}})
// CHECK-NOT: "stablehlo.all_gather"
// CHECK: stablehlo.add %[[ONCE]], %[[EACH]]
// STAY-LABEL: func.func private @loop(
// STAY: stablehlo.while
// STAY-COUNT-2: "stablehlo.all_gather"
func.func private @loop(%f: tensor<2x4xf32>) -> tensor<8x4xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %three = stablehlo.constant dense<3> : tensor<i32>
  %start = stablehlo.constant dense<0.0> : tensor<8x4xf32>
  %0:4 = stablehlo.while(%i = %zero, %same = %f, %other = %f, %sum = %start) : tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<8x4xf32>
  cond {
    %1 = stablehlo.compare LT, %i, %three, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %1 : tensor<i1>
  } do {
    %1 = stablehlo.add %same, %same : tensor<2x4xf32>
    %2 = "stablehlo.all_gather"(%1) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
    %3 = "stablehlo.all_gather"(%other) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
    %4 = stablehlo.add %2, %3 : tensor<8x4xf32>
    %5 = stablehlo.add %sum, %4 : tensor<8x4xf32>
    %6 = stablehlo.tanh %other : tensor<2x4xf32>
    %7 = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %7, %same, %6, %5 : tensor<i32>, tensor<2x4xf32>, tensor<2x4xf32>, tensor<8x4xf32>
  }
  return %0#3 : tensor<8x4xf32>
}

// A gathered value is shared, or gathered anew for each that reads it.
// CHECK-LABEL: func.func private @two(
// CHECK-COUNT-1: "stablehlo.all_gather"
// CHECK-NOT: "stablehlo.all_gather"
// STAY-LABEL: func.func private @two(
// STAY: %[[A:.+]] = "stablehlo.all_gather"(%arg0)
// STAY: stablehlo.tanh %[[A]]
// STAY: %[[B:.+]] = "stablehlo.all_gather"(%arg0)
// STAY: stablehlo.cosine %[[B]]
func.func private @two(%f: tensor<2x4xf32>) -> (tensor<8x4xf32>, tensor<8x4xf32>) {
  %0 = "stablehlo.all_gather"(%f) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>, use_global_device_ids}> : (tensor<2x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.tanh %0 : tensor<8x4xf32>
  %2 = stablehlo.cosine %0 : tensor<8x4xf32>
  return %1, %2 : tensor<8x4xf32>, tensor<8x4xf32>
}
}

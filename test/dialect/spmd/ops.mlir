// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

sdy.mesh @mesh = <["x"=2]>

// CHECK-LABEL: func @load_and_store
// CHECK-SAME: %[[B:.*]]: !spmd.buffer<tensor<8x4xf32>>) -> tensor<8x4xf32>
func.func @load_and_store(%b: !spmd.buffer<tensor<8x4xf32>>) -> tensor<8x4xf32> {
  // CHECK: %[[T:.*]] = spmd.load %[[B]] : !spmd.buffer<tensor<8x4xf32>>
  %t = spmd.load %b : !spmd.buffer<tensor<8x4xf32>>
  // CHECK: %[[A:.*]] = spmd.alloc : !spmd.buffer<tensor<8x4xf32>>
  %a = spmd.alloc : !spmd.buffer<tensor<8x4xf32>>
  // CHECK: spmd.store %[[T]], %[[A]] : !spmd.buffer<tensor<8x4xf32>>
  spmd.store %t, %a : !spmd.buffer<tensor<8x4xf32>>
  return %t : tensor<8x4xf32>
}

// CHECK-LABEL: func @views
func.func @views(%b: !spmd.buffer<tensor<8x4xf32>>) {
  // CHECK: %[[S:.*]] = spmd.slice_view %{{.*}} [0:4, 1:3:2] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4x1xf32>>
  %s = spmd.slice_view %b [0:4, 1:3:2] : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4x1xf32>>
  // CHECK: %[[T:.*]] = spmd.transpose_view %[[S]], dims = [1, 0] : (!spmd.buffer<tensor<4x1xf32>>) -> !spmd.buffer<tensor<1x4xf32>>
  %t = spmd.transpose_view %s, dims = [1, 0] : (!spmd.buffer<tensor<4x1xf32>>) -> !spmd.buffer<tensor<1x4xf32>>
  // CHECK: spmd.reshape_view %[[T]] : (!spmd.buffer<tensor<1x4xf32>>) -> !spmd.buffer<tensor<2x2xf32>>
  %r = spmd.reshape_view %t : (!spmd.buffer<tensor<1x4xf32>>) -> !spmd.buffer<tensor<2x2xf32>>
  return
}

// The rank-0 view takes no ranges, an empty range shows nothing.
// CHECK-LABEL: func @small_views
func.func @small_views(%a: !spmd.buffer<tensor<i32>>, %b: !spmd.buffer<tensor<3xi1>>) {
  // CHECK: spmd.slice_view %{{.*}} [] :
  %0 = spmd.slice_view %a [] : (!spmd.buffer<tensor<i32>>) -> !spmd.buffer<tensor<i32>>
  // CHECK: spmd.transpose_view %{{.*}}, dims = [] :
  %1 = spmd.transpose_view %a, dims = [] : (!spmd.buffer<tensor<i32>>) -> !spmd.buffer<tensor<i32>>
  // CHECK: spmd.slice_view %{{.*}} [2:2] :
  %2 = spmd.slice_view %b [2:2] : (!spmd.buffer<tensor<3xi1>>) -> !spmd.buffer<tensor<0xi1>>
  return
}

// A buffer is sharded as the tensor that it holds; views and loads carry pins.
// CHECK-LABEL: func @shardings
// CHECK-SAME: !spmd.buffer<tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}
func.func @shardings(%b: !spmd.buffer<tensor<8x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // CHECK: spmd.alloc {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>}
  %a = spmd.alloc {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : !spmd.buffer<tensor<8xf32>>
  // CHECK: spmd.transpose_view {{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
  %v = spmd.transpose_view %b, dims = [1, 0] {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>}
      : (!spmd.buffer<tensor<8x4xf32>>) -> !spmd.buffer<tensor<4x8xf32>>
  // CHECK: spmd.load %{{.*}} {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>, spmd.inferred}
  %t = spmd.load %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>, spmd.inferred}
      : !spmd.buffer<tensor<8x4xf32>>
  return
}

// CHECK-LABEL: func @attributes
// CHECK-SAME: %{{.*}}: tensor<4xf32> {spmd.global_type = tensor<8xf32>, spmd.inferred, spmd.missing_sharding}
func.func @attributes(%0: tensor<4xf32> {spmd.global_type = tensor<8xf32>, spmd.inferred, spmd.missing_sharding}) {
  // CHECK: spmd.inferred = array<i64: 0>
  %1 = stablehlo.negate %0 {spmd.inferred = array<i64: 0>} : tensor<4xf32>
  return
}

// CHECK-LABEL: func @rotate
func.func @rotate(%x: tensor<8x4xf32>) -> tensor<8x4xf32> {
  // CHECK: spmd.rotate %{{.*}} by 3 along 0 : tensor<8x4xf32>
  %y = spmd.rotate %x by 3 along 0 : tensor<8x4xf32>
  return %y : tensor<8x4xf32>
}

// RUN: spmd-opt %s --spmd-propagate -o %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate | diff %t.mlir -
// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy -o %t.shardy.mlir
// RUN: spmd-opt %t.shardy.mlir --spmd-propagate=conflicts=shardy | diff %t.shardy.mlir -
// RUN: spmd-opt %t.mlir --spmd-functionalize | FileCheck %s --check-prefix=VALUES

// A buffer is pinned with open dims, and each tensor that it holds in turn grows by itself. The buffer lies as the first of them;
// what the user said of all is noted beside it, so that the others do not learn of it when that is read again.
sdy.mesh @mesh = <["z"=4]>
sdy.mesh @two = <["x"=2, "w"=2]>
// CHECK-LABEL: func.func @main(
// CHECK-SAME: %arg0: !spmd.buffer<tensor<4x6xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{"z", ?}, {?}]>, spmd.grown_from = #sdy.sharding<@mesh, [{?}, {?}]>, tf.aliasing_output = 2 : i32}
// CHECK-SAME: %arg2: tensor<4x6xi32> {spmd.missing_sharding}
// As values, what is put into the buffer meets what the user said.
// VALUES-LABEL: func.func @main(
// VALUES-SAME: %arg0: tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"z", ?}, {?}]>, tf.aliasing_output = 2 : i32}
// VALUES: sdy.sharding_constraint %0 <@mesh, [{?}, {?}]>
func.func @main(%buffer: !spmd.buffer<tensor<4x6xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>, tf.aliasing_output = 2 : i32}, %a: tensor<4x6xi32>, %b: tensor<4x6xi32>)
    -> (tensor<4x6xi32>, tensor<4x6xi32>, tensor<4x6xi32>) {
  spmd.store %b, %buffer : !spmd.buffer<tensor<4x6xi32>>
  %0 = sdy.sharding_constraint %a <@mesh, [{"z"}, {}]> : tensor<4x6xi32>
  spmd.store %0, %buffer : !spmd.buffer<tensor<4x6xi32>>
  return %a, %a, %a : tensor<4x6xi32>, tensor<4x6xi32>, tensor<4x6xi32>
}

// What is stored in a buffer that is pinned alike is what the buffer holds, also after it has grown.
// CHECK-LABEL: func.func @pinned_alike(
// CHECK: stablehlo.add {{.*}}<@mesh, [{"z", ?}, {?}]>]>, spmd.grown_from = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>}
func.func @pinned_alike(%a: tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {}]>}, %b: tensor<4x6xi32>) -> tensor<4x6xi32> {
  %buffer = spmd.alloc {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>} : !spmd.buffer<tensor<4x6xi32>>
  %0 = stablehlo.add %a, %a {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>} : tensor<4x6xi32>
  spmd.store %0, %buffer : !spmd.buffer<tensor<4x6xi32>>
  %1 = spmd.load %buffer : !spmd.buffer<tensor<4x6xi32>>
  spmd.store %b, %buffer : !spmd.buffer<tensor<4x6xi32>>
  return %1 : tensor<4x6xi32>
}

// While "w" waits for its user priority, what the buffer holds does not take up "x". In the outcome nothing waits, and it is
// as it was.
// CHECK-LABEL: func.func @waits_for_its_priority(
// CHECK: spmd.load %{{.*}}<@two, [{}, {"w", ?}p1]>]>, spmd.inferred}
func.func @waits_for_its_priority(%a: tensor<5x3xi32> {sdy.sharding = #sdy.sharding<@two, [{}, {"w", ?}p1]>}, %b: tensor<5x3xi32> {sdy.sharding = #sdy.sharding<@two, [{}, {"x", ?}]>}) -> tensor<5x3xi32> {
  %0 = stablehlo.add %a, %b : tensor<5x3xi32>
  %buffer = spmd.alloc {sdy.sharding = #sdy.sharding_per_value<[<@two, [{}, {"w", ?}p1]>]>} : !spmd.buffer<tensor<5x3xi32>>
  spmd.store %0, %buffer : !spmd.buffer<tensor<5x3xi32>>
  %1 = spmd.load %buffer : !spmd.buffer<tensor<5x3xi32>>
  return %1 : tensor<5x3xi32>
}

// What a function leaves in a buffer is another tensor than what it finds there, and lies otherwise.
// CHECK-LABEL: func.func @left_behind(
// CHECK-SAME: %arg2: tensor<4x6xi32> {spmd.missing_sharding}
// CHECK: spmd.load %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{?}, {?}]>]>, spmd.inferred}
func.func @left_behind(%buffer: !spmd.buffer<tensor<4x6xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>}, %a: tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {}]>}, %b: tensor<4x6xi32>) -> (tensor<4x6xi32>, tensor<4x6xi32>) {
  %0 = spmd.load %buffer : !spmd.buffer<tensor<4x6xi32>>
  %1 = stablehlo.add %0, %a : tensor<4x6xi32>
  call @leave(%buffer, %b) : (!spmd.buffer<tensor<4x6xi32>>, tensor<4x6xi32>) -> ()
  %2 = spmd.load %buffer : !spmd.buffer<tensor<4x6xi32>>
  return %2, %1 : tensor<4x6xi32>, tensor<4x6xi32>
}
func.func private @leave(%buffer: !spmd.buffer<tensor<4x6xi32>> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>}, %b: tensor<4x6xi32>) {
  spmd.store %b, %buffer : !spmd.buffer<tensor<4x6xi32>>
  return
}
func.func @left_behind_unpinned(%buffer: !spmd.buffer<tensor<4x6xi32>>, %a: tensor<4x6xi32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}, {}]>}, %b: tensor<4x6xi32>) -> (tensor<4x6xi32>, tensor<4x6xi32>) {
  %0 = spmd.load %buffer : !spmd.buffer<tensor<4x6xi32>>
  %1 = stablehlo.add %0, %a : tensor<4x6xi32>
  call @leave_unpinned(%buffer, %b) : (!spmd.buffer<tensor<4x6xi32>>, tensor<4x6xi32>) -> ()
  %2 = spmd.load %buffer : !spmd.buffer<tensor<4x6xi32>>
  return %2, %1 : tensor<4x6xi32>, tensor<4x6xi32>
}
func.func private @leave_unpinned(%buffer: !spmd.buffer<tensor<4x6xi32>>, %b: tensor<4x6xi32>) {
  spmd.store %b, %buffer : !spmd.buffer<tensor<4x6xi32>>
  return
}

// RUN: spmd-opt %s --spmd-check-rules='remarks=true meshes=2,4,2x3' --verify-diagnostics -o %t
// RUN: FileCheck %s < %t
// What refining put out of the way is found as well.
// RUN: spmd-opt %s --spmd-refine-shapes --spmd-check-rules='remarks=true meshes=2,4,2x3' --verify-diagnostics -o %t.refined

// Rules that users wrote, and that hold. What is checked stays as it is.
// CHECK: func.func private @attention
func.func private @attention(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %1 = stablehlo.tanh %0 : tensor<?x?xf32>
  return %1 : tensor<?x?xf32>
}
func.func private @twice(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

func.func @main(%q: tensor<2048x128xf32>, %k: tensor<1024x128xf32>, %x: tensor<5x3xf32>, %i: tensor<7xi32>) -> tensor<2048x1024xf32> {
  // CHECK: stablehlo.custom_call @scores(%{{.*}}, %{{.*}}) {sdy.sharding_rule = {{.*}}, spmd.reference = @attention}
  // expected-remark @below {{'stablehlo.custom_call' op rule holds on 17 placements}}
  %0 = stablehlo.custom_call @scores(%q, %k) {spmd.reference = @attention, sdy.sharding_rule = #sdy.op_sharding_rule<([i, k], [j, k])->([i, j]) {i=2048, j=1024, k=128} need_replication={k}, custom>}
      : (tensor<2048x128xf32>, tensor<1024x128xf32>) -> tensor<2048x1024xf32>
  // Uneven rows, each by itself.
  // expected-remark @below {{'stablehlo.custom_call' op rule holds on 17 placements}}
  %1 = stablehlo.custom_call @twice(%x) {spmd.reference = @twice, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=5, j=3}, custom>} : (tensor<5x3xf32>) -> tensor<5x3xf32>
  // expected-remark @below {{'stablehlo.add' op rule holds on 17 placements}}
  %2 = stablehlo.add %x, %x {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [i, j])->([i, j]) {i=5, j=3}, custom>} : tensor<5x3xf32>
  // Rules that are not ours, of ops that cannot be on shards as they are.
  // expected-remark @below {{'stablehlo.slice' op rule holds on}}
  %3 = stablehlo.slice %x [1:5, 0:3] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, j]) {i=5, j=3, k=4} need_replication={i, k}, custom>} : (tensor<5x3xf32>) -> tensor<4x3xf32>
  // expected-remark @below {{'stablehlo.gather' op rule holds on}}
  %4 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3>}> {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j], [k])->([k, j]) {i=5, j=3, k=7} need_replication={i}, custom>} : (tensor<5x3xf32>, tensor<7xi32>) -> tensor<7x3xf32>
  // Shares of a sum: who holds a row gives it, and sums of windows are made of what each device has of them.
  // expected-remark @below {{'stablehlo.slice' op rule holds on}}
  %6 = stablehlo.slice %x [1:5, 0:3] {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([k, j]) {i=5, j=3, k=4} reduction={i}, custom>} : (tensor<5x3xf32>) -> tensor<4x3xf32>
  %zero = stablehlo.constant dense<0> : tensor<i32>
  // expected-remark @below {{'stablehlo.reduce_window' op rule holds on}}
  %7 = "stablehlo.reduce_window"(%i, %zero) <{window_dimensions = array<i64: 5>, window_strides = array<i64: 5>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) {sdy.sharding_rule = #sdy.op_sharding_rule<([i], [])->([j]) {i=7, j=1} reduction={i}, custom>} : (tensor<7xi32>, tensor<i32>) -> tensor<1xi32>
  // Thousands of rows, of which a few tell; and an attribute that counts what the devices divide.
  // expected-remark @below {{'stablehlo.custom_call' op rule holds on 17 placements}}
  %5 = stablehlo.custom_call @scores(%q, %k) {heads = 4096 : i64, spmd.reference = @attention, spmd.rule = {dims = "([i, k], [j, k])->([i, j]) need_replication={k}", even = ["i"], local = [{attribute = "heads", factor = "i"}]}}
      : (tensor<2048x128xf32>, tensor<1024x128xf32>) -> tensor<2048x1024xf32>
  return %0 : tensor<2048x1024xf32>
}

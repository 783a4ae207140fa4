// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefixes=CHECK,ON %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-pipeline=functionalize=false | FileCheck %s --check-prefixes=CHECK,OFF %{only-collectives-checked}
// RUN: spmd-opt %s --spmd-check-rules=remarks=true -o %t.out 2>&1 | FileCheck %s --check-prefix=HOLDS
// RUN: %{both-modes}
// An op without a result that writes its first operand, with a tensor beside those that frameworks pass by position; and one
// with as many results as it likes. Their rules speak of all of these, and nothing moves.

sdy.mesh @mesh = <["cp"=4, "tp"=2]>

// CHECK-LABEL: func.func @main
// CHECK-SAME: tensor<1x1x4x4xf32>{{>?}} {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {"cp"}, {}]>, spmd.global_type = tensor<1x2x16x4xf32>, tf.aliasing_output = 3 : i32}
// CHECK-SAME: -> (tensor<1x1x4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"tp", ?}, {"cp", ?}, {?}]>
// OFF: %[[HELD:.*]] = spmd.load %arg0
// OFF: stablehlo.custom_call @append(%[[HELD]], %arg1, %arg2)
// ON: stablehlo.custom_call @append(%arg0, %arg1, %arg2)
// CHECK-SAME: output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>]
// CHECK-SAME: (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>, tensor<4xf32>) -> tensor<1x1x4x4xf32>
// CHECK: stablehlo.custom_call @moments({{.*}}) {{.*}} : (tensor<1x1x4x4xf32>) -> (tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>, tensor<1x1x4x4xf32>)
// HOLDS-COUNT-2: remark: 'stablehlo.custom_call' op rule holds on {{[0-9]+}} placements
func.func @main(%cache: !spmd.buffer<tensor<1x2x16x4xf32>> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}, {"cp"}, {}]>},
                %k: tensor<1x2x16x4xf32>, %scale: tensor<4xf32>) -> (tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>) {
  stablehlo.custom_call @append(%cache, %k, %scale) {spmd.writes = array<i64: 0>, spmd.reference = @scaled_sum,
      spmd.rule = {dims = "([i, j, k, l], [i, j, k, l], [l])->([i, j, k, l])"}}
      : (!spmd.buffer<tensor<1x2x16x4xf32>>, tensor<1x2x16x4xf32>, tensor<4xf32>) -> ()
  %0 = spmd.load %cache : !spmd.buffer<tensor<1x2x16x4xf32>>
  %1:3 = stablehlo.custom_call @moments(%0) {spmd.reference = @three,
      spmd.rule = {dims = "([i, j, k, l])->([i, j, k, l], [i, j, k, l], [i, j, k, l])"}}
      : (tensor<1x2x16x4xf32>) -> (tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>)
  return %1#0, %1#1, %1#2 : tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>, tensor<1x2x16x4xf32>
}

func.func private @scaled_sum(%b: tensor<?x?x?x?xf32>, %t: tensor<?x?x?x?xf32>, %s: tensor<?xf32>) -> tensor<?x?x?x?xf32> {
  %d0 = stablehlo.get_dimension_size %b, dim = 0 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %s0 = stablehlo.reshape %d0 : (tensor<i32>) -> tensor<1xi32>
  %d1 = stablehlo.get_dimension_size %b, dim = 1 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %s1 = stablehlo.reshape %d1 : (tensor<i32>) -> tensor<1xi32>
  %d2 = stablehlo.get_dimension_size %b, dim = 2 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %s2 = stablehlo.reshape %d2 : (tensor<i32>) -> tensor<1xi32>
  %d3 = stablehlo.get_dimension_size %b, dim = 3 : (tensor<?x?x?x?xf32>) -> tensor<i32>
  %s3 = stablehlo.reshape %d3 : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %s0, %s1, %s2, %s3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
  %0 = stablehlo.dynamic_broadcast_in_dim %s, %shape, dims = [3] : (tensor<?xf32>, tensor<4xi32>) -> tensor<?x?x?x?xf32>
  %1 = stablehlo.multiply %t, %0 : tensor<?x?x?x?xf32>
  %2 = stablehlo.add %b, %1 : tensor<?x?x?x?xf32>
  return %2 : tensor<?x?x?x?xf32>
}

func.func private @three(%x: tensor<?x?x?x?xf32>) -> (tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>) {
  %0 = stablehlo.multiply %x, %x : tensor<?x?x?x?xf32>
  %1 = stablehlo.multiply %0, %x : tensor<?x?x?x?xf32>
  %2 = stablehlo.negate %x : tensor<?x?x?x?xf32>
  return %0, %1, %2 : tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>, tensor<?x?x?x?xf32>
}

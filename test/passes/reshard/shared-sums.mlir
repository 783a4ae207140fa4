// RUN: spmd-opt %s --spmd-pipeline --split-input-file | FileCheck %s
// Devices that share a sum already do not gather what it is made of to do all of it each, unless that moves much less.

sdy.mesh @mesh = <["tp"=4]>

// To gather the narrow operands would move more than half of what adding up does: each device would hold all of both, and do
// four times the work.
// CHECK-LABEL: func.func @row_parallel
// CHECK-NOT: all_gather
// CHECK: stablehlo.dot_general{{.*}} (tensor<32x24xi8>, tensor<24x64xi8>) -> tensor<32x64xi32>
// CHECK: "stablehlo.all_reduce"
// CHECK: return
func.func @row_parallel(%x: tensor<32x96xi8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>},
                        %w: tensor<96x64xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>})
    -> (tensor<32x64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x96xi8>, tensor<96x64xi8>) -> tensor<32x64xi32>
  return %0 : tensor<32x64xi32>
}

// -----

// Where it is less than half, they are gathered.

sdy.mesh @mesh = <["tp"=4]>

// CHECK-LABEL: func.func @short_sum
// CHECK-NOT: all_reduce
// CHECK: stablehlo.dot_general{{.*}} (tensor<32x4xi8>, tensor<4x64xi8>) -> tensor<32x64xi32>
// CHECK-NOT: all_reduce
// CHECK: return
func.func @short_sum(%x: tensor<32x4xi8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>},
                     %w: tensor<4x64xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>})
    -> (tensor<32x64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x4xi8>, tensor<4x64xi8>) -> tensor<32x64xi32>
  return %0 : tensor<32x64xi32>
}

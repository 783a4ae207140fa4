// RUN: spmd-opt %s --spmd-pipeline --split-input-file | FileCheck %s
// Devices that each compute a share of a sum reduce the shares, unless gathering the operands sends fewer bytes.

sdy.mesh @mesh = <["tp"=4]>

// Gathering both operands would send 13,824 bytes and multiply the work by four. The all-reduce sends 12,288.
// CHECK-LABEL: func.func @row_parallel
// CHECK-NOT: all_gather
// CHECK: stablehlo.dot_general{{.*}} (tensor<32x48xi8>, tensor<48x64xi8>) -> tensor<32x64xi32>
// CHECK: "stablehlo.all_reduce"
// CHECK: return
func.func @row_parallel(%x: tensor<32x192xi8> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"tp"}]>},
                        %w: tensor<192x64xi8> {sdy.sharding = #sdy.sharding<@mesh, [{"tp"}, {}]>})
    -> (tensor<32x64xi32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>}) {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<32x192xi8>, tensor<192x64xi8>) -> tensor<32x64xi32>
  return %0 : tensor<32x64xi32>
}

// -----

// The operands of a short sum are much smaller than its result, so they are gathered.

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

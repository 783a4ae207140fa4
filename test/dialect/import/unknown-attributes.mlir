// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-run %s

// Attributes of dialects that nobody knows stay as they are written.
// CHECK: module attributes {{.*}}other.target = #other.target<["a" = 2x4], x = {1}>
// CHECK: func.func @main(%arg0: tensor<4xf32> {other.kind = #other.kind<input>, sdy.sharding = {{.*}}
// CHECK: stablehlo.negate %arg0 {other.note = #other.note<"a">} : tensor<4xf32>
#target = #other.target<["a" = 2x4], x = {1}>
module attributes {other.target = #target} {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%arg0: tensor<8xf32> {other.kind = #other.kind<input>, sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
    %0 = stablehlo.negate %arg0 {other.note = #other.note<"a">} : tensor<8xf32>
    return %0 : tensor<8xf32>
  }
}

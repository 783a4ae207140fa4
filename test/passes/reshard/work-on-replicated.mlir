// RUN: spmd-opt %s --spmd-pipeline=stop-after=reshard | FileCheck %s
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes

sdy.mesh @mesh = <["x"=4]>

// The result of the reshape is sharded, so its replicated rows are cut. The product reads values that are computed from the
// replicated rows, and nothing is gathered.
// CHECK-LABEL: func.func @main(
// CHECK-DAG: %[[WHOLE:.+]] = stablehlo.reshape %arg0 {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {}]>]>
// CHECK-DAG: %[[TURNED:.+]] = stablehlo.transpose %[[WHOLE]]
// CHECK: stablehlo.dot_general %arg1, %[[TURNED]]
// CHECK-NOT: <@mesh, [{}, {}]> : tensor
// CHECK: return
func.func @main(%w: tensor<1x8x48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}]>},
                %x: tensor<12x48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>})
    -> (tensor<12x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>},
        tensor<8x48xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %0 = stablehlo.reshape %w : (tensor<1x8x48xf32>) -> tensor<8x48xf32>
  %1 = stablehlo.transpose %0, dims = [1, 0] : (tensor<8x48xf32>) -> tensor<48x8xf32>
  %2 = stablehlo.dot_general %x, %1, contracting_dims = [1] x [0] : (tensor<12x48xf32>, tensor<48x8xf32>) -> tensor<12x8xf32>
  return %2, %0 : tensor<12x8xf32>, tensor<8x48xf32>
}

// The result is a share of a replicated value: one device keeps the value, and nothing moves.
// CHECK-LABEL: func.func @share(
// CHECK: %[[PADDED:.+]] = stablehlo.pad
// CHECK: sdy.reshard %[[PADDED]] <@mesh, [{}, {}], unreduced=min{"x"}>
// CHECK: return
func.func @share(%w: tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}]>})
    -> (tensor<4x5xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {}], unreduced=min{"x"}>},
        tensor<4x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  %three = stablehlo.constant dense<-3.0> : tensor<f32>
  %0 = stablehlo.ceil %w : tensor<4x4xf32>
  %1 = stablehlo.pad %0, %three, low = [0, 1], high = [0, 0], interior = [0, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<4x5xf32>
  return %1, %0 : tensor<4x5xf32>, tensor<4x4xf32>
}

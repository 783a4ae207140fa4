// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// RUN: spmd-run %s | FileCheck %s --check-prefix=EQUAL
// EQUAL: equal: {{ *}}yes

// Only the kernel of these convolutions is sharded. Devices share the work and gather the result if the work that this saves
// outweighs the additional bytes. An f32 operation weighs as much as two of 16 bits.
sdy.mesh @mesh = <["x"=4]>

// The kernel is gathered: with 4 input features, the result has more bytes than the saved work is worth.
// CHECK-LABEL: func.func @main(
// CHECK: "stablehlo.all_gather"(%arg1)
// CHECK: stablehlo.convolution
// CHECK-SAME: -> tensor<4x12x12x8xf32>
// CHECK-NOT: stablehlo.all_
// CHECK: return
func.func @main(%image: tensor<4x24x24x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>},
                %kernel: tensor<5x5x4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}, {}]>})
    -> (tensor<4x12x12x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}) {
  %0 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [2, 2], pad = [[1, 2], [1, 2]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<4x24x24x4xf32>, tensor<5x5x4x8xf32>) -> tensor<4x12x12x8xf32>
  return %0 : tensor<4x12x12x8xf32>
}

// With 96 input features, the kernel still has fewer bytes than the result, but each device makes some of the features.
// CHECK-LABEL: func.func @more_features(
// CHECK: stablehlo.convolution
// CHECK-SAME: -> tensor<4x16x16x16xf32>
// CHECK: stablehlo.all_gather
func.func @more_features(%image: tensor<4x16x16x96xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>},
                         %kernel: tensor<3x3x96x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {"x"}]>})
    -> (tensor<4x16x16x64xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {}, {}, {}]>}) {
  %0 = stablehlo.convolution(%image, %kernel) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
      window = {stride = [1, 1], pad = [[1, 1], [1, 1]], lhs_dilate = [1, 1], rhs_dilate = [1, 1], reverse = [false, false]}
      {batch_group_count = 1 : i64, feature_group_count = 1 : i64}
      : (tensor<4x16x16x96xf32>, tensor<3x3x96x64xf32>) -> tensor<4x16x16x64xf32>
  return %0 : tensor<4x16x16x64xf32>
}

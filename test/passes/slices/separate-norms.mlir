// RUN: spmd-opt %s --spmd-legalize-chlo --spmd-compose-slices | FileCheck %s
// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s --check-prefix=LOCAL --implicit-check-not=all_gather --implicit-check-not=all_to_all --implicit-check-not=permute
// RUN: spmd-run %s
// A normalization whose features are a product of dims is written out where these are better apart: it has one dim of them.

sdy.mesh @mesh = <["x"=4, "y"=2]>

// The batch is split unevenly. Scale and offset come in one dim; what is returned of the statistics is merged anew.
// CHECK-LABEL: func @main
// CHECK: %[[R:.*]] = stablehlo.reshape %arg0 : (tensor<6x5x16xf32>) -> tensor<1x6x5x16xf32>
// CHECK: %[[S:.*]] = stablehlo.reduce(%[[R]] {{.*}} across dimensions = [0, 3] : (tensor<1x6x5x16xf32>, tensor<f32>) -> tensor<6x5xf32>
// CHECK: %[[M:.*]] = stablehlo.divide %[[S]], %{{.*}} : tensor<6x5xf32>
// CHECK: %[[SCALE:.*]] = stablehlo.reshape %arg1 : (tensor<30xf32>) -> tensor<6x5xf32>
// CHECK: %[[OFFSET:.*]] = stablehlo.constant dense<2.000000e+00> : tensor<6x5xf32>
// CHECK: %[[D:.*]] = stablehlo.sqrt %{{.*}} : tensor<6x5xf32>
// CHECK: %[[MB:.*]] = stablehlo.broadcast_in_dim %[[M]], dims = [1, 2] : (tensor<6x5xf32>) -> tensor<1x6x5x16xf32>
// CHECK: %[[C:.*]] = stablehlo.subtract %[[R]], %[[MB]]
// CHECK: %[[DB:.*]] = stablehlo.broadcast_in_dim %[[D]], dims = [1, 2]
// CHECK: %[[U:.*]] = stablehlo.divide %[[C]], %[[DB]]
// CHECK: %[[SB:.*]] = stablehlo.broadcast_in_dim %[[SCALE]], dims = [1, 2]
// CHECK: %[[P:.*]] = stablehlo.multiply %[[SB]], %[[U]]
// CHECK: %[[OB:.*]] = stablehlo.broadcast_in_dim %[[OFFSET]], dims = [1, 2]
// CHECK: %[[N:.*]] = stablehlo.add %[[P]], %[[OB]] : tensor<1x6x5x16xf32>
// CHECK: stablehlo.reshape %[[N]] : (tensor<1x6x5x16xf32>) -> tensor<6x5x16xf32>
// LOCAL: func.func @main({{.*}}tensor<2x5x16xf32>
func.func @main(%x: tensor<6x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %scale: tensor<30xf32>)
    -> (tensor<6x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
  %offset = stablehlo.constant dense<2.0> : tensor<30xf32>
  %rows = stablehlo.reshape %x : (tensor<6x5x16xf32>) -> tensor<1x30x16xf32>
  %0:3 = "stablehlo.batch_norm_training"(%rows, %scale, %offset) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64}
      : (tensor<1x30x16xf32>, tensor<30xf32>, tensor<30xf32>) -> (tensor<1x30x16xf32>, tensor<30xf32>, tensor<30xf32>)
  %1 = stablehlo.reshape %0#0 : (tensor<1x30x16xf32>) -> tensor<6x5x16xf32>
  return %1 : tensor<6x5x16xf32>
}

// Tokens are split, behind a batch: of a merged dim only the outermost part can be.
// CHECK-LABEL: func @tokens
// CHECK: stablehlo.add {{.*}} : tensor<1x3x8x16xf32>
// LOCAL: func.func @tokens({{.*}}tensor<3x4x16xf32>
func.func @tokens(%x: tensor<3x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>})
    -> (tensor<3x8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}, {}]>}) {
  %ones = stablehlo.constant dense<1.0> : tensor<24xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<24xf32>
  %rows = stablehlo.reshape %x : (tensor<3x8x16xf32>) -> tensor<1x24x16xf32>
  %0:3 = "stablehlo.batch_norm_training"(%rows, %ones, %zeros) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64}
      : (tensor<1x24x16xf32>, tensor<24xf32>, tensor<24xf32>) -> (tensor<1x24x16xf32>, tensor<24xf32>, tensor<24xf32>)
  %1 = stablehlo.reshape %0#0 : (tensor<1x24x16xf32>) -> tensor<3x8x16xf32>
  return %1 : tensor<3x8x16xf32>
}

// What else is a product is apart, and the features are what they were.
// CHECK-LABEL: func @rows
// CHECK: "stablehlo.batch_norm_inference"(%arg0, %arg1, %arg1, %arg1, %arg2) <{epsilon = {{.*}}, feature_index = 2 : i64}> : (tensor<6x5x7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) -> tensor<6x5x7xf32>
// LOCAL: func.func @rows({{.*}}tensor<2x5x7xf32>
func.func @rows(%x: tensor<6x5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}, %a: tensor<7xf32>, %v: tensor<7xf32>)
    -> (tensor<6x5x7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
  %rows = stablehlo.reshape %x : (tensor<6x5x7xf32>) -> tensor<30x7xf32>
  %0 = "stablehlo.batch_norm_inference"(%rows, %a, %a, %a, %v) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64}
      : (tensor<30x7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) -> tensor<30x7xf32>
  %1 = stablehlo.reshape %0 : (tensor<30x7xf32>) -> tensor<6x5x7xf32>
  return %1 : tensor<6x5x7xf32>
}

// A batch that devices divide stays as it was.
// CHECK-LABEL: func @even
// CHECK: "stablehlo.batch_norm_inference"({{.*}} -> tensor<1x20x16xf32>
// LOCAL: func.func @even({{.*}}tensor<1x5x16xf32>
func.func @even(%x: tensor<4x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>})
    -> (tensor<4x5x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {}]>}) {
  %ones = stablehlo.constant dense<1.0> : tensor<20xf32>
  %zeros = stablehlo.constant dense<0.0> : tensor<20xf32>
  %rows = stablehlo.reshape %x : (tensor<4x5x16xf32>) -> tensor<1x20x16xf32>
  %0:3 = "stablehlo.batch_norm_training"(%rows, %ones, %zeros) {epsilon = 1.0e-05 : f32, feature_index = 1 : i64}
      : (tensor<1x20x16xf32>, tensor<20xf32>, tensor<20xf32>) -> (tensor<1x20x16xf32>, tensor<20xf32>, tensor<20xf32>)
  %1 = stablehlo.reshape %0#0 : (tensor<1x20x16xf32>) -> tensor<4x5x16xf32>
  return %1 : tensor<4x5x16xf32>
}

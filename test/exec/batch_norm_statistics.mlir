// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run - | FileCheck %s
// RUN: sed 's/MESH/<["x"=4, "y"=2], device_ids=[3, 1, 0, 2, 7, 6, 5, 4]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -

// Statistics over a batch and a spatial dim that are split: only sums of features travel.
// CHECK: collectives
// CHECK-NOT: all_gather
// CHECK: all_reduce
// CHECK-NOT: all_to_all
// CHECK: memory
sdy.mesh @mesh = MESH

func.func public @main(%x: tensor<15x7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, %grad: tensor<15x7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>},
                       %scale: tensor<7xf32>, %offset: tensor<7xf32>)
    -> (tensor<15x7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, tensor<7xf32>, tensor<7xf32>, tensor<15x7x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, tensor<7xf32>, tensor<7xf32>) {
  %normed, %mean, %variance = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<15x7x6xf32>, tensor<7xf32>, tensor<7xf32>) -> (tensor<15x7x6xf32>, tensor<7xf32>, tensor<7xf32>)
  %gradient, %ofScale, %ofOffset = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %grad) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<15x7x6xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<15x7x6xf32>) -> (tensor<15x7x6xf32>, tensor<7xf32>, tensor<7xf32>)
  return %normed, %mean, %variance, %gradient, %ofScale, %ofOffset : tensor<15x7x6xf32>, tensor<7xf32>, tensor<7xf32>, tensor<15x7x6xf32>, tensor<7xf32>, tensor<7xf32>
}

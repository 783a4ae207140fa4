// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run -
// RUN: sed 's/MESH/<["x"=3, "y"=5]>/' %s | spmd-run -

// Features are normalized one by one: they split, and so do all other dims, over which sums are found.
sdy.mesh @mesh = MESH

func.func public @main(%x: tensor<5x7x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}, {}]>}, %scale: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, %offset: tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
    -> (tensor<5x7x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}, {}]>}, tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}]>}, tensor<7xf32>, tensor<5x7x2xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}, {"y"}]>}, tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  %normed, %mean, %variance = "stablehlo.batch_norm_training"(%x, %scale, %offset) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>) -> (tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>)
  %given = "stablehlo.batch_norm_inference"(%x, %scale, %offset, %mean, %variance) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>) -> tensor<5x7x2xf32>
  %gradient, %ofScale, %ofOffset = "stablehlo.batch_norm_grad"(%x, %scale, %mean, %variance, %normed) <{epsilon = 1.000000e-03 : f32, feature_index = 1 : i64}> : (tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<5x7x2xf32>) -> (tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>)
  return %normed, %mean, %variance, %given, %gradient, %ofScale, %ofOffset : tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>, tensor<5x7x2xf32>, tensor<5x7x2xf32>, tensor<7xf32>, tensor<7xf32>
}

// RUN: sed 's/MESH/<["x"=2, "y"=2]>/' %s | spmd-run - --sizes=7,5,3,5
// RUN: sed 's/MESH/<["x"=3, "y"=4]>/' %s | spmd-run - --sizes=4,6,9,6
// RUN: sed 's/MESH/<["x"=2, "y"=3]>/' %s | spmd-run - --sizes=1,2,1,2

// A program for any sizes is partitioned for those at hand: a softmax of products, and a mask.
sdy.mesh @mesh = MESH

func.func public @main(%q: tensor<?x?xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %k: tensor<?x?xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {}]>})
    -> (tensor<?x?xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y"}]>}) {
  %kt = call @masked(%q, %k) : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  return %kt : tensor<?x?xf32>
}

func.func private @masked(%q: tensor<?x?xf32>, %k: tensor<?x?xf32>) -> tensor<?x?xf32> {
  %low = stablehlo.constant dense<-1.0e+9> : tensor<f32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %one = stablehlo.constant dense<1> : tensor<1xi32>
  %m = stablehlo.get_dimension_size %q, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %n = stablehlo.get_dimension_size %k, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
  %m1 = stablehlo.reshape %m : (tensor<i32>) -> tensor<1xi32>
  %n1 = stablehlo.reshape %n : (tensor<i32>) -> tensor<1xi32>
  %shape = stablehlo.concatenate %m1, %n1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %scores = stablehlo.dot_general %q, %k, contracting_dims = [1] x [1] : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<?x?xf32>
  %row = stablehlo.dynamic_iota %shape, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi32>
  %column = stablehlo.dynamic_iota %shape, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %kept = stablehlo.compare GE, %row, %column : (tensor<?x?xi32>, tensor<?x?xi32>) -> tensor<?x?xi1>
  %lows = stablehlo.dynamic_broadcast_in_dim %low, %shape, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
  %masked = stablehlo.select %kept, %scores, %lows : tensor<?x?xi1>, tensor<?x?xf32>
  %largest = stablehlo.reduce(%masked init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %wide = stablehlo.dynamic_broadcast_in_dim %largest, %shape, dims = [0] : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %shifted = stablehlo.subtract %masked, %wide : tensor<?x?xf32>
  %exps = stablehlo.exponential %shifted : tensor<?x?xf32>
  %sum = stablehlo.reduce(%exps init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<?x?xf32>, tensor<f32>) -> tensor<?xf32>
  %column1 = stablehlo.concatenate %m1, %one, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %sums = stablehlo.dynamic_reshape %sum, %column1 : (tensor<?xf32>, tensor<2xi32>) -> tensor<?x1xf32>
  %spread = stablehlo.dynamic_broadcast_in_dim %sums, %shape, dims = [0, 1] : (tensor<?x1xf32>, tensor<2xi32>) -> tensor<?x?xf32>
  %0 = stablehlo.divide %exps, %spread : tensor<?x?xf32>
  return %0 : tensor<?x?xf32>
}

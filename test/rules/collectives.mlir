// RUN: spmd-opt %s --verify-diagnostics -o %t

// What a collective cuts or joins stays whole; its groups run along other axes.
func.func private @collectives(%x: tensor<6x4xf32>) {
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<6x4xf32>) -> tensor<12x4xf32>
  %1 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %batch = stablehlo.iota dim = 0 : tensor<5x6x4xf32>
  %2 = "stablehlo.all_to_all"(%batch) <{split_dimension = 1 : i64, concat_dimension = 2 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<5x6x4xf32>) -> tensor<5x3x8xf32>
  %3 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %4 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %5 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<6x4xf32>) -> tensor<6x4xf32>
  %6 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %sum = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %sum : tensor<f32>
  }) : (tensor<6x4xf32>) -> tensor<3x4xf32>
  %7 = stablehlo.partition_id : tensor<ui32>
  %8 = stablehlo.replica_id : tensor<ui32>
  return
}

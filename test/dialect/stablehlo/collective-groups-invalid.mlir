// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// all_reduce_c1
func.func @all_reduce_c1(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_reduce' op replica_groups has device 1 twice}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// all_reduce_c2, c3
func.func @all_reduce_c2(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_reduce' op replica_groups lacks device 1 below the largest, 3}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 2], [3, -1]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// all_reduce_c7
func.func @all_reduce_c7(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_reduce' op result 0 has element type 'f64', region 'computation' computes 'f32'}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf64>
  return
}

// -----

// all_gather_c3
func.func @all_gather_c3(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op replica_groups has device -1 among 2 entries; devices count from 0 without a gap}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

// reduce_scatter_c3
func.func @reduce_scatter_c3(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.reduce_scatter' op replica_groups has device 1 twice}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

// reduce_scatter_c4, c5
func.func @reduce_scatter_c4(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.reduce_scatter' op replica_groups has device 2 among 2 entries; devices count from 0 without a gap}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

// reduce_scatter_c6
func.func @reduce_scatter_c6(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.reduce_scatter' op use_global_device_ids is given without a positive channel handle}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, use_global_device_ids, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

// reduce_scatter_c7
func.func @reduce_scatter_c7(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.reduce_scatter' op region 'computation' computes 'i32' from input 0 of element type 'f32', which cannot be promoted to it}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

// reduce_scatter_c9
func.func @reduce_scatter_c9(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.reduce_scatter' op result 0 has element type 'f64', region 'computation' computes 'f32'}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf64>
  return
}

// -----

// all_to_all_c5
func.func @all_to_all_c5(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op replica_groups has device 0 twice}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [0, 1]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

// all_to_all_c6, c7
func.func @all_to_all_c6(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op replica_groups has device 2 among 2 entries; devices count from 0 without a gap}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 2]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<8x3xf32>
  return
}

// -----

// collective_broadcast_c1
func.func @collective_broadcast_c1(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.collective_broadcast' op replica_groups has device 0 twice}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1, 0]]> : tensor<1x3xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// collective_broadcast_c2
func.func @collective_broadcast_c2(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.collective_broadcast' op replica_groups has device -2; devices count from 0}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, -2]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

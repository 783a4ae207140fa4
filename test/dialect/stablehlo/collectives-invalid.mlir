// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// all_gather_c1
func.func @all_gather_c1(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op all_gather_dim is 2, operand 0 has rank 2}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

// all_gather_c2
func.func @all_gather_c2(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op replica_groups has device 0 2 times}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

// all_gather_c2
func.func @all_gather_c2_table(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op replica_groups has device 1 twice}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

// all_gather_c4
func.func @all_gather_c4(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op replica_groups has device 7 among 2 entries; devices count from 0 without a gap}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 7]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

// all_gather_c4
func.func @all_gather_c4_padding(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op replica_groups has device -1 among 4 entries; devices count from 0 without a gap}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

// all_gather_c5
func.func @all_gather_c5(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op use_global_device_ids is given without a positive channel handle}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

// all_gather_c6
func.func @all_gather_c6(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op result 0 has size 18 in dim 1, expected 12}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<4x18xf32>
  return
}

// -----

// all_gather_c6
func.func @all_gather_c6_grid(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op result 0 has size 16 in dim 1, no multiple of the operand's 6}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x16xf32>
  return
}

// -----

// all_gather_c6
func.func @all_gather_c6_axes(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op result 0 has size 12 in dim 1, expected 24}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>]>, axes = [#stablehlo.axis_ref<name = "y">]>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @all_gather_overflow(%x: tensor<4x9223372036854775807xi8>) {
  // expected-error@below {{'stablehlo.all_gather' op gathered size of dim 1 is over 2^63}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> : (tensor<4x9223372036854775807xi8>) -> tensor<4x?xi8>
  return
}

// -----

func.func @axis_not_in_mesh(%x: tensor<4x6xf32>) {
  // expected-error@below {{mesh has no axis "z"}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>]>, axes = [#stablehlo.axis_ref<name = "z">]>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @axis_twice(%x: tensor<4x6xf32>) {
  // expected-error@below {{axis "x" occurs twice}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>]>, axes = [#stablehlo.axis_ref<name = "x">, #stablehlo.axis_ref<name = "x">]>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @axis_part(%x: tensor<4x6xf32>) {
  // expected-error@below {{part (1)3 does not divide axis "y" of size 4}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "y", size = 4>]>, axes = [#stablehlo.axis_ref<name = "y", sub_axis_info = (1)3>]>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @mesh_axis_size(%x: tensor<4x6xf32>) {
  // expected-error@below {{mesh axis "x" has size 0; sizes are at least 1}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 0>, <name = "y", size = 4>]>, axes = []>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @mesh_axis_twice(%x: tensor<4x6xf32>) {
  // expected-error@below {{mesh axis "x" occurs twice}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 2>, <name = "x", size = 4>]>, axes = []>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @mesh_too_large(%x: tensor<4x6xf32>) {
  // expected-error@below {{mesh has more than 2147483647 devices}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = #stablehlo.mesh<axes=[<name = "x", size = 4611686018427387904>, <name = "y", size = 4>]>, axes = []>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @mesh_missing(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op replica_groups names mesh @nowhere, which does not exist}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @nowhere, axes = []>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @groups_huge(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op replica_groups has device 0 1000000000000 times}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<1000000x1000000xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

func.func @groups_rank(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_gather' op attribute 'replica_groups' failed to satisfy constraint: 2-D i64 tensor or #stablehlo.replica_group_mesh_axes}}
  %0 = "stablehlo.all_gather"(%x) <{all_gather_dim = 1 : i64, replica_groups = dense<0> : tensor<2xi64>}> : (tensor<4x6xf32>) -> tensor<4x12xf32>
  return
}

// -----

// all_reduce_c4
func.func @all_reduce_c4(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_reduce' op use_global_device_ids is given without a positive channel handle}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// all_reduce_c5
func.func @all_reduce_c5(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_reduce' op region 'computation' computes 'i32' from input 0 of element type 'f32', which cannot be promoted to it}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %s = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %s : tensor<i32>
  }) : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// all_reduce_c6
func.func @all_reduce_c6(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_reduce' op result 0 has size 5 in dim 1, operand 0 has size 6}}
  %0 = "stablehlo.all_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x5xf32>
  return
}

// -----

// reduce_scatter_c1
func.func @reduce_scatter_c1(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.reduce_scatter' op operand 0 has size 6 in dim 1, no multiple of the group size 4}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

// reduce_scatter_c2
func.func @reduce_scatter_c2(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.reduce_scatter' op scatter_dimension is -1, operand 0 has rank 2}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = -1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x3xf32>
  return
}

// -----

// reduce_scatter_c8
func.func @reduce_scatter_c8(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.reduce_scatter' op result 0 has size 4 in dim 1, expected 3}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x4xf32>
  return
}

// -----

// Without flattened ids, the number of partitions is not known.
// reduce_scatter_c8
func.func @reduce_scatter_c8_of_partitions(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.reduce_scatter' op result 0 has size 4 in dim 1, no whole part of the operand's 6}}
  %0 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 1 : i64, replica_groups = dense<[[0]]> : tensor<1x1xi64>, channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<4x6xf32>) -> tensor<4x4xf32>
  return
}

// -----

// all_to_all_c1
func.func @all_to_all_c1(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op split_dimension is 2, operand 0 has rank 2}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 2 : i64, concat_dimension = 0 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// all_to_all_c2
func.func @all_to_all_c2(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op operand 0 has size 6 in dim 1, no multiple of split_count 4}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// all_to_all_c3
func.func @all_to_all_c3(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op concat_dimension is -1, operand 0 has rank 2}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = -1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// all_to_all_c4
func.func @all_to_all_c4(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op split_count is 0; it is at least 1}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 0 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// all_to_all_c8
func.func @all_to_all_c8(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op split_count is 4, the groups have size 2}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 4 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// all_to_all_c9
func.func @all_to_all_c9(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.all_to_all' op result 0 has size 4 in dim 0, expected 2}}
  %0 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// collective_permute_c1
func.func @collective_permute_c1(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.collective_permute' op source_target_pairs has 3 columns, expected 2}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1, 2]]> : tensor<1x3xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// collective_permute_c2
func.func @collective_permute_c2(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.collective_permute' op source_target_pairs has source 0 twice}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [0, 2]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// collective_permute_c3
func.func @collective_permute_c3(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.collective_permute' op source_target_pairs has target 1 twice}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [2, 1]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// collective_permute_c4
func.func @collective_permute_c4(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.collective_permute' op source_target_pairs has target -1; devices count from 0}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, -1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

// collective_permute_c5
func.func @collective_permute_c5(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.collective_permute' op result 0 has size 5 in dim 1, operand 0 has size 6}}
  %0 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x5xf32>
  return
}

// -----

// collective_broadcast_c3
func.func @collective_broadcast_c3(%x: tensor<4x6xf32>) {
  // expected-error@below {{'stablehlo.collective_broadcast' op result 0 has size 5 in dim 1, operand 0 has size 6}}
  %0 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x5xf32>
  return
}

// -----

func.func @collective_reduce_operands() {
  // expected-error@below {{'stablehlo.collective_reduce' op has no operands}}
  "stablehlo.collective_reduce"() <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : () -> ()
  return
}

// -----

func.func @collective_reduce_results(%x: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.collective_reduce' op has 2 operands to send and 1 results}}
  %0 = "stablehlo.collective_reduce"(%x, %x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_reduce_roots(%x: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.collective_reduce' op operand 1 has type 'tensor<4xf32>', expected the roots as 1-D i32}}
  %0 = "stablehlo.collective_reduce"(%x, %x) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_reduce_shape(%x: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.collective_reduce' op result 0 has size 5 in dim 0, operand 0 has size 4}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

func.func @collective_reduce_groups(%x: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.collective_reduce' op replica_groups has device 1 twice}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1], [1, 2]]> : tensor<2x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_reduce_flattened(%x: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.collective_reduce' op use_global_device_ids is given without a positive channel handle}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @collective_reduce_body(%x: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.collective_reduce' op region 'computation' computes 'i32' from input 0 of element type 'f32', which cannot be promoted to it}}
  %0 = "stablehlo.collective_reduce"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %1 = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %1 : tensor<i32>
  }) : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cross_replica_sum_groups(%x: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.cross-replica-sum' op replica_groups has device 0 2 times}}
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 0]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @cross_replica_sum_type(%x: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.cross-replica-sum' op result 0 has size 5 in dim 0, operand 0 has size 4}}
  %0 = "stablehlo.cross-replica-sum"(%x) <{replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>) -> tensor<5xf32>
  return
}

// -----

// collective_broadcast_c4
func.func @collective_broadcast_roots(%x: tensor<4xf32>, %roots: tensor<1xi32>) {
  // expected-error@below {{'stablehlo.collective_broadcast' op operand 2 has 1 roots for 2 operands to send}}
  %0:2 = "stablehlo.collective_broadcast"(%x, %x, %roots) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> : (tensor<4xf32>, tensor<4xf32>, tensor<1xi32>) -> (tensor<4xf32>, tensor<4xf32>)
  return
}

// -----

func.func @collective_reduce_number_of_roots(%x: tensor<4xf32>, %roots: tensor<2xi32>) {
  // expected-error@below {{'stablehlo.collective_reduce' op operand 1 has 2 roots for 1 operands to send}}
  %0 = "stablehlo.collective_reduce"(%x, %roots) <{has_dynamic_root, replica_groups = dense<[[0, 1]]> : tensor<1x2xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %1 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %1 : tensor<f32>
  }) : (tensor<4xf32>, tensor<2xi32>) -> tensor<4xf32>
  return
}

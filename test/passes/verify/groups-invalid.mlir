// RUN: spmd-opt %s --spmd-verify-partitioned --split-input-file --verify-diagnostics

// Groups as mesh axes are checked without listing devices.
module attributes {mhlo.num_partitions = 8 : i32} {
sdy.mesh @m = <["x"=8]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>, spmd.global_type = tensor<8xf32>}) -> tensor<8xf32> {
  // expected-error @below {{'stablehlo.all_reduce' op has the axis "x" twice in its replica groups}}
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "x", sub_axis_info = (1)4>, #stablehlo.axis_ref<name = "x", sub_axis_info = (2)2>]>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
}

// -----

module attributes {mhlo.num_partitions = 8 : i32} {
sdy.mesh @m = <["x"=8]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>, spmd.global_type = tensor<8xf32>}) -> tensor<8xf32> {
  // expected-error @below {{'stablehlo.all_reduce' op unknown axis "y"; the mesh has "x"}}
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "y">]>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
}

// -----

module attributes {mhlo.num_partitions = 8 : i32} {
sdy.mesh @m = <["x"=4]>
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@m, [{}]>, spmd.global_type = tensor<8xf32>}) -> tensor<8xf32> {
  // expected-error @below {{'stablehlo.all_reduce' op has groups on a mesh of 4 devices; there are 8 devices}}
  %0 = "stablehlo.all_reduce"(%x) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @m, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
}

// RUN: spmd-translate %s --export-hlo --no-metadata | FileCheck %s
// Groups, channels, and what StableHLO can say in one op and HLO in several.

// CHECK: HloModule module, entry_computation_layout={(f32[4,6]{1,0}, f32[2]{0})->(f32[4,6]{1,0}, f32[2]{0}, f32[8,6]{1,0}, f32[2,6]{1,0}, f32[2,12]{1,0}, /*index=5*/f32[4,6]{1,0}, f32[4,6]{1,0}, f32[4,6]{1,0}, u32[])}, allow_spmd_sharding_propagation_to_parameters={true,true}, allow_spmd_sharding_propagation_to_output={true,true,true,true,true,true,true,true,true}, num_partitions=4
// CHECK: %region_0 (
// CHECK-NEXT: [[P:%[-a-z0-9_.]+]] = f32[] parameter(0)
// CHECK-NEXT: [[P2:%[-a-z0-9_.]+]] = f32[] parameter(1)
// CHECK-NEXT: ROOT [[ADD:%[-a-z0-9_.]+]] = f32[] add([[P]], [[P2]])
// CHECK: %region_0.1 (
// CHECK-NEXT: [[P3:%[-a-z0-9_.]+]] = f32[] parameter(0)
// CHECK-NEXT: [[P4:%[-a-z0-9_.]+]] = f32[] parameter(1)
// CHECK-NEXT: ROOT [[MAXIMUM:%[-a-z0-9_.]+]] = f32[] maximum([[P3]], [[P4]])
// CHECK: ENTRY %main (
// CHECK-NEXT: [[P5:%[-a-z0-9_.]+]] = f32[4,6]{1,0} parameter(0)
// CHECK-NEXT: [[P6:%[-a-z0-9_.]+]] = f32[2]{0} parameter(1)
// CHECK-NEXT: [[ALL_REDUCE:%[-a-z0-9_.]+]] = (f32[4,6]{1,0}, f32[2]{0}) all-reduce([[P5]], [[P6]]), channel_id=1, replica_groups={{[{][{]}}0,2},{1,3}}, use_global_device_ids=true, to_apply=%region_0
// CHECK-NEXT: [[ELEMENT:%[-a-z0-9_.]+]] = f32[4,6]{1,0} get-tuple-element([[ALL_REDUCE]]), index=0
// CHECK-NEXT: [[ELEMENT2:%[-a-z0-9_.]+]] = f32[2]{0} get-tuple-element([[ALL_REDUCE]]), index=1
// CHECK-NEXT: [[ALL_GATHER:%[-a-z0-9_.]+]] = f32[8,6]{1,0} all-gather([[P5]]), channel_id=2, replica_groups={{[{][{]}}0,1},{2,3}}, dimensions={0}, use_global_device_ids=true
// CHECK-NEXT: [[REDUCE_SCATTER:%[-a-z0-9_.]+]] = f32[2,6]{1,0} reduce-scatter([[P5]]), channel_id=3, replica_groups={{[{][{]}}0,2},{1,3}}, use_global_device_ids=true, dimensions={0}, to_apply=%region_0.1
// CHECK-NEXT: [[RESHAPE:%[-a-z0-9_.]+]] = f32[2,2,6]{2,1,0} reshape([[P5]])
// CHECK-NEXT: [[ALL_TO_ALL:%[-a-z0-9_.]+]] = f32[2,2,6]{2,1,0} all-to-all([[RESHAPE]]), channel_id=4, replica_groups={{[{][{]}}0,1},{2,3}}, dimensions={0}
// CHECK-NEXT: [[TRANSPOSE:%[-a-z0-9_.]+]] = f32[2,2,6]{2,1,0} transpose([[ALL_TO_ALL]]), dimensions={1,0,2}
// CHECK-NEXT: [[RESHAPE2:%[-a-z0-9_.]+]] = f32[2,12]{1,0} reshape([[TRANSPOSE]])
// CHECK-NEXT: [[ALL_TO_ALL2:%[-a-z0-9_.]+]] = f32[4,6]{1,0} all-to-all([[P5]]), channel_id=5, replica_groups={{[{][{]}}0,1},{2,3}}, dimensions={1}
// CHECK-NEXT: [[COLLECTIVE_PERMUTE:%[-a-z0-9_.]+]] = f32[4,6]{1,0} collective-permute([[P5]]), channel_id=6, source_target_pairs={{[{][{]}}0,1},{1,0}}
// CHECK-NEXT: [[COLLECTIVE_BROADCAST:%[-a-z0-9_.]+]] = f32[4,6]{1,0} collective-broadcast([[P5]]), replica_groups={{[{][{]}}0,1},{2}}
// CHECK-NEXT: [[PARTITION_ID:%[-a-z0-9_.]+]] = u32[] partition-id()
// CHECK: ROOT {{.*}} tuple([[ELEMENT]], [[ELEMENT2]], [[ALL_GATHER]], [[REDUCE_SCATTER]], [[RESHAPE2]], /*index=5*/[[ALL_TO_ALL2]], [[COLLECTIVE_PERMUTE]], [[COLLECTIVE_BROADCAST]], [[PARTITION_ID]])

module attributes {mhlo.num_partitions = 4 : i32} {
  sdy.mesh @mesh = <["x"=2, "y"=2]>
  func.func @main(%x: tensor<4x6xf32>, %y: tensor<2xf32>) -> (tensor<4x6xf32>, tensor<2xf32>, tensor<8x6xf32>, tensor<2x6xf32>, tensor<2x12xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<ui32>) {
    // Several operands at once are a tuple; mesh axes are written as the devices that they mean.
    %0:2 = "stablehlo.all_reduce"(%x, %y) <{channel_handle = #stablehlo.channel_handle<handle = 1, type = 1>, replica_groups = #stablehlo.replica_group_mesh_axes<mesh = @mesh, axes = [#stablehlo.axis_ref<name = "x">]>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<2xf32>) -> (tensor<4x6xf32>, tensor<2xf32>)
    %1 = "stablehlo.all_gather"(%x) <{all_gather_dim = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 2, type = 1>, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, use_global_device_ids}> : (tensor<4x6xf32>) -> tensor<8x6xf32>
    %2 = "stablehlo.reduce_scatter"(%x) <{scatter_dimension = 0 : i64, channel_handle = #stablehlo.channel_handle<handle = 3, type = 1>, replica_groups = dense<[[0, 2], [1, 3]]> : tensor<2x2xi64>, use_global_device_ids}> ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %s = stablehlo.maximum %a, %b : tensor<f32>
      stablehlo.return %s : tensor<f32>
    }) : (tensor<4x6xf32>) -> tensor<2x6xf32>
    // Cut along one dim and joined along another: the pieces get a dim of their own.
    %3 = "stablehlo.all_to_all"(%x) <{split_dimension = 0 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 4, type = 1>}> : (tensor<4x6xf32>) -> tensor<2x12xf32>
    %4 = "stablehlo.all_to_all"(%x) <{split_dimension = 1 : i64, concat_dimension = 1 : i64, split_count = 2 : i64, replica_groups = dense<[[0, 1], [2, 3]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 5, type = 1>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %5 = "stablehlo.collective_permute"(%x) <{source_target_pairs = dense<[[0, 1], [1, 0]]> : tensor<2x2xi64>, channel_handle = #stablehlo.channel_handle<handle = 6, type = 1>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    // A row that is shorter than others.
    %6 = "stablehlo.collective_broadcast"(%x) <{replica_groups = dense<[[0, 1], [2, -1]]> : tensor<2x2xi64>}> : (tensor<4x6xf32>) -> tensor<4x6xf32>
    %7 = stablehlo.partition_id : tensor<ui32>
    return %0#0, %0#1, %1, %2, %3, %4, %5, %6, %7 : tensor<4x6xf32>, tensor<2xf32>, tensor<8x6xf32>, tensor<2x6xf32>, tensor<2x12xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<ui32>
  }
}

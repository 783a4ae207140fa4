// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// What collectives must not be: each takes the sharding of its operand to `out_sharding` by its axes alone.

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @operand_without_sharding(%arg0: tensor<8x16xf32>) {
  // expected-error @below {{'sdy.all_gather' op operand has no sharding to start from}}
  %0 = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @gather_not_minor(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  // expected-error @below {{'sdy.all_gather' op operand: dim 0 is over {"a", "b"}, which does not end in {"a"}}}
  %0 = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @gather_leaves_more(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  // expected-error @below {{'sdy.all_gather' op out_sharding: dim 0 is over {}, the collective leaves {"a"}}}
  %0 = sdy.all_gather [{"b"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @gather_rank(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  // expected-error @below {{'sdy.all_gather' op has axes for 1 dims, the tensor has 2}}
  %0 = sdy.all_gather [{"b"}] %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @gather_unknown_axis(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  // expected-error @below {{'sdy.all_gather' op axes: unknown axis "e"; the mesh has "a", "b", "c", "d"}}
  %0 = sdy.all_gather [{"e"}, {}] %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @gather_out_sharding(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  // expected-error @below {{'sdy.all_gather' op out_sharding: sharding has 1 dims, the tensor has 2}}
  %0 = sdy.all_gather [{"b"}, {}] %arg0 out_sharding=<@mesh, [{"a"}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
sdy.mesh @order = <["a"=2, "b"=4, "c"=2, "d"=2]>
func.func @gather_other_mesh(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  // expected-error @below {{'sdy.all_gather' op operand and result are on different meshes}}
  %0 = sdy.all_gather [{"b"}, {}] %arg0 out_sharding=<@order, [{"a"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @gather_part_that_is_not_minor(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"c"}, {}]>}) {
  // expected-error @below {{'sdy.all_gather' op operand: dim 0 is over {"c"}, which does not end in {"c":(1)2}}}
  %0 = sdy.all_gather [{"c":(1)2}, {}] %arg0 out_sharding=<@mesh, [{"c":(2)2}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @gather_keeps_partial(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) {
  // expected-error @below {{'sdy.all_gather' op out_sharding: unreduced over {}, the collective leaves {"b"}}}
  %0 = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@mesh, [{}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @gather_keeps_reduction(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) {
  // expected-error @below {{'sdy.all_gather' op out_sharding: unreduced by max, the collective leaves sum}}
  %0 = sdy.all_gather [{"a"}, {}] %arg0 out_sharding=<@mesh, [{}, {}], unreduced=max{"b"}> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @slice_axis_in_use(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error @below {{'sdy.all_slice' op operand: axis "a" is in use already}}
  %0 = sdy.all_slice [{}, {"a"}] %arg0 out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @slice_at_minor_end(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error @below {{'sdy.all_slice' op out_sharding: dim 0 is over {"b", "a"}, the collective leaves {"a", "b"}}}
  %0 = sdy.all_slice [{"b"}, {}] %arg0 out_sharding=<@mesh, [{"b", "a"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @all_to_all_source(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error @below {{'sdy.all_to_all' op operand: dim 0 is over {"a"}, which does not end in {"b"}}}
  %0 = sdy.all_to_all [{"b"}: 0->1] %arg0 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @all_to_all_dim(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error @below {{'sdy.all_to_all' op names dim 2, the tensor has 2}}
  %0 = sdy.all_to_all [{"a"}: 0->2] %arg0 out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @all_to_all_dim_twice(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) {
  // expected-error @below {{'sdy.all_to_all' op names dim 1 twice}}
  %0 = sdy.all_to_all [{"a"}: 0->1, {"b"}: 1->0] %arg0 out_sharding=<@mesh, [{"b"}, {"a"}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @all_to_all_same_dim(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) {
  // expected-error @below {{'sdy.all_to_all' op names dim 0 twice}}
  %0 = sdy.all_to_all [{"a"}: 0->0] %arg0 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @all_to_all_target(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {"b"}]>}) {
  // expected-error @below {{'sdy.all_to_all' op out_sharding: dim 1 is over {"a", "b"}, the collective leaves {"b", "a"}}}
  %0 = sdy.all_to_all [{"a"}: 0->1] %arg0 out_sharding=<@mesh, [{}, {"a", "b"}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @permute_number_of_shards(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error @below {{'sdy.collective_permute' op dim 0 has 2 shards before and 4 after}}
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"c"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @permute_moves_between_dims(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error @below {{'sdy.collective_permute' op dim 0 has 2 shards before and 1 after}}
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{}, {"a"}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @permute_partial(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) {
  // expected-error @below {{'sdy.collective_permute' op operand is partial over 2 devices, the result over 1}}
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"b"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @permute_reduction(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) {
  // expected-error @below {{'sdy.collective_permute' op operand is partial by sum, the result by max}}
  %0 = sdy.collective_permute %arg0 out_sharding=<@mesh, [{"b"}, {}], unreduced=max{"a"}> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
sdy.mesh @flat = <["e"=32]>
func.func @permute_axes_of_mesh(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error @below {{'sdy.collective_permute' op operand and result are on meshes with different axes}}
  %0 = sdy.collective_permute %arg0 out_sharding=<@flat, [{"e":(1)2}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @reduce_axis_of_dim(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error @below {{'sdy.all_reduce' op operand: axis "a" shards a dim and cannot be reduced}}
  %0 = sdy.all_reduce {"a"} %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @reduce_leaves_partial(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b", "d"}>}) {
  // expected-error @below {{'sdy.all_reduce' op out_sharding: unreduced over {}, the collective leaves {"d"}}}
  %0 = sdy.all_reduce {"b"} %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @reduce_kind(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced=max{"b"}>}) {
  // expected-error @below {{'sdy.all_reduce' op reduces by sum, the operand is partial by max}}
  %0 = sdy.all_reduce {"b"} %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @scatter_axis_of_dim(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error @below {{'sdy.reduce_scatter' op operand: axis "a" shards a dim and cannot be reduced}}
  %0 = sdy.reduce_scatter [{}, {"a"}] %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @scatter_target(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) {
  // expected-error @below {{'sdy.reduce_scatter' op out_sharding: dim 0 is over {"a"}, the collective leaves {"a", "b"}}}
  %0 = sdy.reduce_scatter [{"b"}, {}] %arg0 out_sharding=<@mesh, [{"a"}, {"b"}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @scatter_kind(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}], unreduced={"b"}>}) {
  // expected-error @below {{'sdy.reduce_scatter' op reduces by min, the operand is partial by sum}}
  %0 = sdy.reduce_scatter min [{"b"}, {}] %arg0 out_sharding=<@mesh, [{"a", "b"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @to_partial_not_minor(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  // expected-error @below {{'sdy.sharded_to_unreduced' op operand: dim 0 is over {"a", "b"}, which does not end in {"a"}}}
  %0 = sdy.sharded_to_unreduced [{"a"}, {}] %arg0 out_sharding=<@mesh, [{"b"}, {}], unreduced={"a"}> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @to_partial_result(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}]>}) {
  // expected-error @below {{'sdy.sharded_to_unreduced' op out_sharding: unreduced over {}, the collective leaves {"b"}}}
  %0 = sdy.sharded_to_unreduced [{"b"}, {}] %arg0 out_sharding=<@mesh, [{"a"}, {}]> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @to_partial_mixed_kinds(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a", "b"}, {}], unreduced=max{"d"}>}) {
  // expected-error @below {{'sdy.sharded_to_unreduced' op out_sharding: unreduced by sum, the collective leaves max}}
  %0 = sdy.sharded_to_unreduced [{"b"}, {}] %arg0 out_sharding=<@mesh, [{"a"}, {}], unreduced={"b", "d"}> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @replicated_axis_in_use(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error @below {{'sdy.replicated_to_unreduced' op operand: axis "a" is in use already}}
  %0 = sdy.replicated_to_unreduced {"a"} %arg0 out_sharding=<@mesh, [{}, {}], unreduced={"a"}> : tensor<8x16xf32>
  return
}

// -----

sdy.mesh @mesh = <["a"=2, "b"=2, "c"=4, "d"=2]>
func.func @replicated_result(%arg0: tensor<8x16xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"a"}, {}]>}) {
  // expected-error @below {{'sdy.replicated_to_unreduced' op out_sharding: unreduced over {"d"}, the collective leaves {"b"}}}
  %0 = sdy.replicated_to_unreduced {"b"} %arg0 out_sharding=<@mesh, [{"a"}, {}], unreduced={"d"}> : tensor<8x16xf32>
  return
}

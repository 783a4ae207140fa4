// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// What ops must not be, other than computations and collectives.

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @constraint(%arg0: tensor<8xf32>) {
  // expected-error @below {{'sdy.sharding_constraint' op sharding: sharding has 2 dims, the tensor has 1}}
  %0 = sdy.sharding_constraint %arg0 <@mesh, [{"x"}, {}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @reshard(%arg0: tensor<8xf32>) {
  // expected-error @below {{'sdy.reshard' op sharding: unknown mesh @msh; the module has @mesh}}
  %0 = sdy.reshard %arg0 <@msh, [{"x"}]> : tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
func.func @reshard_type(%arg0: tensor<8xf32>) {
  // expected-error @below {{'sdy.reshard' op requires the same type for all operands and results}}
  %0 = "sdy.reshard"(%arg0) <{sharding = #sdy.sharding<@mesh, [{"x"}]>}> : (tensor<8xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @barrier(%arg0: tensor<8xf32>) {
  // expected-error @below {{'sdy.propagation_barrier' op allows both directions and so stops nothing}}
  %0 = sdy.propagation_barrier %arg0 allowed_direction=BOTH : tensor<8xf32>
  return
}

// -----

func.func @group(%arg0: tensor<8xf32>) {
  // expected-error @below {{'sdy.sharding_group' op group_id is -1; ids are at least 0}}
  sdy.sharding_group %arg0 group_id=-1 : tensor<8xf32>
  return
}

// -----

func.func @edge_is_the_only_use(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  // expected-error @below {{'sdy.data_flow_edge' op operand has more uses; an edge is the only one}}
  %0 = sdy.data_flow_edge %arg0 : tensor<8xf32>
  return %arg0 : tensor<8xf32>
}

// -----

func.func @edge_sharding(%arg0: tensor<8xf32>) {
  // expected-error @below {{'sdy.data_flow_edge' op sharding: unknown axis "y"; the mesh has "x"}}
  %0 = sdy.data_flow_edge %arg0 sharding=<mesh<["x"=2]>, [{"y"}]> : tensor<8xf32>
  return
}

// -----

func.func @reduction(%arg0: tensor<8xf32>) {
  // expected-error @below {{unknown reduction 'mean'}}
  %0 = sdy.all_reduce mean {"x"} %arg0 out_sharding=<mesh<["x"=2]>, [{}]> : tensor<8xf32>
  return
}

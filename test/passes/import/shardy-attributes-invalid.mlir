// RUN: spmd-opt %s --split-input-file --verify-diagnostics --spmd-import-shardings
// The parser takes shardings in texts for any text: stages behind would meet what does not fit.
// RUN: env -u SPMD_VERIFY_EACH spmd-opt %s --split-input-file --verify-diagnostics --spmd-pipeline

// expected-error @below {{'xla.sdy.meshes' cannot be read: 'mesh'}}
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "mesh"}} {}

// -----

// expected-error @below {{'xla.sdy.meshes' says of 'mesh' what is no mesh}}
module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = 3 : i32}"}} {}

// -----

func.func @index(%arg0: tensor<8xf32>) {
  // expected-error @below {{'xla.sdy.sharding' cannot be read: 'array<index: 1>'}}
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding = "array<index: 1>"}} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @count(%arg0: tensor<8xf32>) {
  // expected-error @below {{'xla.sdy.sharding' has 0 shardings for 1 values}}
  %0 = stablehlo.custom_call @Sharding(%arg0) {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[]>"}} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @none(%arg0: tensor<8xf32>) {
  // expected-error @below {{has no 'xla.sdy.sharding'}}
  %0 = stablehlo.custom_call @xla.sdy.FuncResultSharding(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @target(%arg0: tensor<8xf32>) {
  // expected-error @below {{calls of @xla.sdy.Unheard are not known}}
  %0 = stablehlo.custom_call @xla.sdy.Unheard(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @arity(%arg0: tensor<8xf32>) {
  // expected-error @below {{@xla.sdy.ShardingGroup has 2 operands and 0 results; expected 1 and 0}}
  stablehlo.custom_call @xla.sdy.ShardingGroup(%arg0, %arg0) : (tensor<8xf32>, tensor<8xf32>) -> ()
  return
}

// -----

func.func @group(%arg0: tensor<8xf32>) {
  // expected-error @below {{has no 'xla.sdy.sharding_group_id'}}
  stablehlo.custom_call @xla.sdy.ShardingGroup(%arg0) : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @no_call(%arg0: tensor<8xf32>) {
  // expected-error @below {{operands are not all results of one call}}
  %0 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @no_begin(%arg0: tensor<8xf32>) {
  %0 = call @body(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  // expected-error @below {{operands of its call do not all come from one @xla.sdy.GlobalToLocalShape}}
  %1 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}
func.func private @body(%arg0: tensor<8xf32>) -> tensor<8xf32> {
  return %arg0 : tensor<8xf32>
}

// -----

func.func @no_axes() {
  %0 = call @body() : () -> tensor<8xf32>
  // expected-error @below {{has neither 'xla.sdy.*' attributes nor a sharding; the shardings of a manual computation are not known}}
  %1 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}
func.func private @body() -> tensor<8xf32> {
  %0 = stablehlo.constant dense<0.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @no_body() {
  %0 = call @body() : () -> tensor<8xf32>
  // expected-error @below {{there is no body to call}}
  %1 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}
func.func private @body() -> tensor<8xf32>

// -----

func.func @no_mesh() {
  %0 = call @body() {mhlo.sharding = "{manual}"} : () -> tensor<8xf32>
  // expected-error @below {{the shardings of a manual computation name no mesh; write them as {mesh['x'=2], [{'x'}]}}}
  %1 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%0) {mhlo.sharding = "{replicated}"} : (tensor<8xf32>) -> tensor<8xf32>
  return
}
func.func private @body() -> tensor<8xf32> {
  %0 = stablehlo.constant dense<0.0> : tensor<8xf32>
  return %0 : tensor<8xf32>
}

// -----

func.func @no_number() {
  %0:2 = call @body() {mhlo.sharding = "{{mesh['x'=2], manual}, {mesh['x'=2], manual}}"} : () -> (tensor<8xf32>, tensor<8xf32>)
  // expected-error @below {{'mhlo.sharding' has 1 shardings for 2 values}}
  %1:2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%0#0, %0#1) {mhlo.sharding = "{replicated}"} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}
func.func private @body() -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.constant dense<0.0> : tensor<8xf32>
  return %0, %0 : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @different_axes() {
  %0:2 = call @body() {mhlo.sharding = "{{mesh['x'=2,'y'=2], manual}, {mesh['x'=2,'y'=2], [{}], manual={'x'}}}"} : () -> (tensor<8xf32>, tensor<8xf32>)
  // expected-error @below {{the local values of a manual computation are manual along different axes: {mesh['x'=2,'y'=2] manual} and {mesh['x'=2,'y'=2] [{}], manual={'x'}}}}
  %1:2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%0#0, %0#1) {mhlo.sharding = "{{replicated}, {replicated}}"} : (tensor<8xf32>, tensor<8xf32>) -> (tensor<8xf32>, tensor<8xf32>)
  return
}
func.func private @body() -> (tensor<8xf32>, tensor<8xf32>) {
  %0 = stablehlo.constant dense<0.0> : tensor<8xf32>
  return %0, %0 : tensor<8xf32>, tensor<8xf32>
}

// -----

func.func @unmarked_operand(%arg0: tensor<8xf32>) {
  // expected-error @below {{operand 0 is no result of @Sharding, which declares its sharding}}
  %0 = stablehlo.custom_call @xla.sdy.GlobalToLocalShape(%arg0) {mhlo.sharding = "{mesh['x'=2], manual}"} : (tensor<8xf32>) -> tensor<4xf32>
  %1 = call @body(%0) {mhlo.sharding = "{mesh['x'=2], manual}"} : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.custom_call @xla.sdy.LocalToGlobalShape(%1) {mhlo.sharding = "{mesh['x'=2], [{'x'}]}"} : (tensor<4xf32>) -> tensor<8xf32>
  return
}
func.func private @body(%arg0: tensor<4xf32>) -> tensor<4xf32> {
  return %arg0 : tensor<4xf32>
}

// -----

func.func @direction(%arg0: tensor<8xf32>) {
  // expected-error @below {{@xla.sdy.PropagationBarrier allows direction 7 of a value of type 'tensor<8xf32>'; expected 0 (none), 1 (forward) or 2 (backward), and one type}}
  %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%arg0) {mhlo.frontend_attributes = {xla.sdy.allowed_direction = "7 : i32"}} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @no_direction(%arg0: tensor<8xf32>) {
  // expected-error @below {{has no 'xla.sdy.allowed_direction'}}
  %0 = stablehlo.custom_call @xla.sdy.PropagationBarrier(%arg0) : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @count_of_an_op(%a: tensor<8xf32>) {
  // expected-error @below {{'xla.sdy.sharding' has 0 shardings for 1 values}}
  %0 = stablehlo.negate %a {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding_per_value<[]>"}} : tensor<8xf32>
  return
}

// -----

func.func @no_sharding_of_an_op(%a: tensor<8xf32>) {
  // expected-error @below {{'xla.sdy.sharding' cannot be read: 'x'}}
  %0 = stablehlo.custom_call @f(%a) {mhlo.frontend_attributes = {xla.sdy.sharding = "x"}} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2, \22y\22=4]>}"}} {
  // expected-error @below {{argument 0 of @both has two shardings that contradict each other: 'sdy.sharding' [{"x"}, {}] and 'mhlo.sharding' "{devices=[1,2,4]<=[8] last_tile_dim_replicate}"; remove one}}
  func.func @both(%arg0: tensor<8x12xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}, {}]>"}, mhlo.sharding = "{devices=[1,2,4]<=[8] last_tile_dim_replicate}"}) {
    return
  }
}

// -----

module attributes {mhlo.frontend_attributes = {xla.sdy.meshes = "{mesh = #sdy.mesh<[\22x\22=2, \22y\22=4]>}"}} {
  // expected-error @below {{'func.func' op argument 0: sharding has 1 dims, the tensor has 2}}
  func.func @rank(%arg0: tensor<8x12xf32> {mhlo.frontend_attributes = {xla.sdy.sharding = "#sdy.sharding<@mesh, [{\22x\22}]>"}, mhlo.sharding = "{devices=[1,2,4]<=[8] last_tile_dim_replicate}"}) {
    return
  }
}

// RUN: spmd-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// What shardings must not say about their values.

sdy.mesh @mesh = <["x"=2, "y"=4]>
sdy.mesh @other = <["z"=8]>
// expected-error @below {{'func.func' op argument 0: unknown mesh @foo; the module has @mesh, @other}}
func.func @unknown_mesh(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@foo, [{"x"}]>}) { return }

// -----

func.func @no_mesh(%arg0: tensor<8xf32>) {
  // expected-error @below {{'t.op' op result 0: unknown mesh @foo; the module has no mesh}}
  %0 = "t.op"() {sdy.sharding = #sdy.sharding_per_value<[<@foo, [{"x"}]>]>} : () -> tensor<8xf32>
  return
}

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
// expected-error @below {{'func.func' op argument 1: unknown axis "z"; the mesh has "x", "y"}}
func.func @unknown_axis(%arg0: tensor<8xf32>, %arg1: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"z"}]>}) { return }

// -----

sdy.mesh @empty = <[]>
// expected-error @below {{'func.func' op result 0: unknown axis "x"; the mesh has no axes}}
func.func private @mesh_without_axes() -> (tensor<8xf32> {sdy.sharding = #sdy.sharding<@empty, [{"x"}]>})

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
// expected-error @below {{'func.func' op argument 0: dim 1: axis "x" is already used by dim 0}}
func.func @axis_twice(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {"y", "x"}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
// expected-error @below {{'func.func' op argument 0: replicated: axis "x" is already used by dim 0}}
func.func @axis_in_dim_and_replicated(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}], replicated={"x"}>}) { return }

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
// expected-error @below {{'func.func' op argument 0: unreduced: axis "x" is already used by replicated}}
func.func @axis_in_replicated_and_unreduced(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], replicated={"x"}, unreduced={"x"}>}) { return }

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
// expected-error @below {{'func.func' op argument 0: dim 1: axis "y":(1)2 is already used by dim 0 as "y"}}
func.func @axis_and_part_of_it(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {"y":(1)2}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=6]>
// expected-error @below {{'func.func' op argument 0: dim 1: axis "x":(1)3 is already used by dim 0 as "x":(1)2}}
func.func @parts_that_overlap(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"x":(1)3}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=12]>
// expected-error @below {{'func.func' op argument 0: dim 1: "x":(3)2 cannot stand beside "x":(1)2 of dim 0; no cut of the axis has both parts}}
func.func @parts_of_different_cuts(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2}, {"x":(3)2}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=8]>
// expected-error @below {{'func.func' op argument 0: "x":(1)3 is no part of axis "x" of size 8}}
func.func @part_that_does_not_divide(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)3}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=8]>
// expected-error @below {{'func.func' op argument 0: "x":(1)8 is the whole axis; write "x"}}
func.func @part_that_is_whole(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)8}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=8]>
// expected-error @below {{'func.func' op argument 0: dim 0: sub-axis "x":(1)1 has size 1; leave it out}}
func.func @part_of_size_1(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)1}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=8]>
// expected-error @below {{'func.func' op argument 0: dim 0: "x":(1)2 and "x":(2)2 follow each other; write them as one}}
func.func @parts_that_are_one(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x":(1)2, "x":(2)2}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
// expected-error @below {{'func.func' op argument 0: replicated axes are not in the order of the mesh}}
func.func @replicated_order(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], replicated={"y", "x"}>}) { return }

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
// expected-error @below {{'func.func' op argument 0: unreduced axes are not in the order of the mesh}}
func.func @unreduced_order(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}], unreduced={"y":(2)2, "y":(1)2}>}) { return }

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
// expected-error @below {{'func.func' op argument 0: sharding has 1 dims, the tensor has 2}}
func.func @rank(%arg0: tensor<8x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) { return }

// -----

sdy.mesh @mesh = <["x"=2, "y"=4]>
// expected-error @below {{'func.func' op argument 0: sharding has 1 dims, but the value is no tensor}}
func.func @no_tensor(%arg0: none {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) { return }

// -----

// expected-error @below {{'func.func' op argument 0: attribute 'sdy.sharding' is no #sdy.sharding}}
func.func @argument_kind(%arg0: tensor<8xf32> {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{}]>]>}) { return }

// -----

// expected-error @below {{'func.func' op result 0: attribute 'sdy.sharding' is no #sdy.sharding}}
func.func private @result_kind() -> (tensor<8xf32> {sdy.sharding = "replicated"})

// -----

func.func @op_kind() {
  // expected-error @below {{'t.op' op attribute 'sdy.sharding' is no #sdy.sharding_per_value}}
  %0 = "t.op"() {sdy.sharding = #sdy.sharding<mesh<["x"=2]>, [{"x"}]>} : () -> tensor<8xf32>
  return
}

// -----

func.func @too_few() {
  // expected-error @below {{'t.op' op has 1 shardings for 2 results}}
  %0:2 = "t.op"() {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>} : () -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @no_results() {
  // expected-error @below {{'t.op' op has 2 shardings for 0 results}}
  "t.op"() {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, []>, <mesh<["x"=2]>, []>]>} : () -> ()
  return
}

// -----

func.func @no_results_have_no_dims() {
  // expected-error @below {{'t.op' op sharding of no result: sharding has 1 dims, but the value is no tensor}}
  "t.op"() {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>]>} : () -> ()
  return
}

// -----

func.func @second_result() {
  // expected-error @below {{'t.op' op result 1: unknown axis "y"; the mesh has "x"}}
  %0:2 = "t.op"() {sdy.sharding = #sdy.sharding_per_value<[<mesh<["x"=2]>, [{"x"}]>, <mesh<["x"=2]>, [{"y"}]>]>} : () -> (tensor<8xf32>, tensor<8xf32>)
  return
}

// -----

func.func @rule_kind(%arg0: tensor<8xf32>) {
  // expected-error @below {{'t.op' op attribute 'sdy.sharding_rule' is no #sdy.op_sharding_rule}}
  "t.op"(%arg0) {sdy.sharding_rule = "elementwise"} : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @rule_counts(%arg0: tensor<8xf32>) {
  // expected-error @below {{'t.op' op sharding rule has 1 operands and 1 results, the op has 1 and 0}}
  "t.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : (tensor<8xf32>) -> ()
  return
}

// -----

func.func @rule_rank(%arg0: tensor<8x6xf32>) {
  // expected-error @below {{'t.op' op sharding rule gives operand 0 1 dims, the tensor has 2}}
  %0 = "t.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8}>} : (tensor<8x6xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @rule_size(%arg0: tensor<8xf32>) {
  // expected-error @below {{'t.op' op sharding rule gives dim 0 of result 0 size 4, the tensor has 6}}
  %0 = "t.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([ij])->([j]) {i=2, j=4}>} : (tensor<8xf32>) -> tensor<6xf32>
  return
}

// -----

func.func @rule_factor_twice(%arg0: tensor<8x8xf32>) {
  // expected-error @below {{'t.op' op sharding rule has factor i twice in operand 0}}
  %0 = "t.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, i])->([i]) {i=8}>} : (tensor<8x8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @rule_reduced_factor_in_result(%arg0: tensor<8xf32>) {
  // expected-error @below {{'t.op' op sharding rule reduces factor i, which a result still has}}
  %0 = "t.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8} reduction={i}>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @rule_unused_factor(%arg0: tensor<8xf32>) {
  // expected-error @below {{'t.op' op sharding rule has factor j in no tensor}}
  %0 = "t.op"(%arg0) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=8, j=2}>} : (tensor<8xf32>) -> tensor<8xf32>
  return
}

// -----

func.func @origin_name_kind() {
  // expected-error @below {{'t.op' op attribute 'sdy.sharding_origin_name' is no string}}
  "t.op"() {sdy.sharding_origin_name = 1} : () -> ()
  return
}

// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics --split-input-file

// Rules that are none, or do not fit their call.
sdy.mesh @mesh = <["x"=2]>
func.func @fields(%x: tensor<4x6xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %n: tensor<f32>) {
  // expected-error @below {{'stablehlo.custom_call' op rule has no 'dims'; give it a rule as text}}
  %0 = stablehlo.custom_call @f(%x) {spmd.rule = {}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op in the rule '([i])->([i])', sharding rule gives operand 0 1 dims, the tensor has 2}}
  %1 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i])->([i])"}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has no field 'evn'; expected dims, along, even, local, only_if, unless, offset, backward}}
  %2 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", evn = ["i"]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule names factor 'k', which its dims do not have}}
  %3 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", even = ["k"]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has way 'rong'; expected gather, ring, all_to_all or halo}}
  %4 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", along = [{factor = "i", with = "j", ways = ["rong"]}]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has way 'ring' along one factor; name the one that is split as 'with'}}
  %5 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", along = [{factor = "i", ways = ["ring"]}]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has a halo along two factors; leave 'with' out}}
  %6 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", along = [{factor = "i", with = "j", ways = ["halo"]}]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has an entry of along without ways}}
  %7 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", along = [{factor = "i", with = "j"}]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has an entry without 'factor'; name a factor}}
  %8 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", local = [{attribute = "n"}]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has an entry of local without an attribute}}
  %9 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", local = [{factor = "i"}]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has operand 1 as an offset, which is no integer scalar of the call}}
  %10 = stablehlo.custom_call @f(%x, %n) {spmd.rule = {dims = "([i, j], [])->([i, j])", offset = [{operand = 1, factor = "i"}]}} : (tensor<4x6xf32>, tensor<f32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has a condition without an attribute}}
  %11 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", unless = [{is = ["1"]}]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has 'along', which is no list of dictionaries}}
  %12 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", along = "i"}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has 'even', which is no list of strings}}
  %13 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", even = "i"}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has 'backward', which is no string}}
  %14 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", backward = 1}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has 'low', which is no number from 0 on}}
  %15 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", along = [{factor = "i", ways = ["halo"], low = -1}]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has no field 'lwo' in an entry of along; expected factor, with, ways, merge, low, high}}
  %21 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", along = [{factor = "i", ways = ["halo"], lwo = 1}]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule has no field 'factor' in an entry of only_if; expected attribute, is, factors}}
  %22 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", only_if = [{attribute = "a", factor = "i"}]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule gives rows of neighbours, 'low' or 'high', to other ways than a halo; leave them out}}
  %20 = stablehlo.custom_call @f(%x) {spmd.rule = {dims = "([i, j])->([i, j])", along = [{factor = "i", with = "j", ways = ["gather"], high = 1}]}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  // expected-error @below {{'stablehlo.custom_call' op rule gives result 0 other dims than operand 0, which it changes in place}}
  %16 = stablehlo.custom_call @f(%x) {output_operand_aliases = [#stablehlo.output_operand_alias<output_tuple_indices = [], operand_index = 0, operand_tuple_indices = []>],
      spmd.rule = {dims = "([i, j])->([i, k])"}} : (tensor<4x6xf32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @no_unit(%x: tensor<4xf32>) {
  // expected-error @below {{'stablehlo.custom_call' op attribute 'spmd.assumed_rule' is no unit}}
  %0 = stablehlo.custom_call @f(%x) {spmd.assumed_rule = 1 : i64} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

func.func @no_dictionary(%x: tensor<4xf32>) {
  // expected-error @below {{'stablehlo.custom_call' op attribute 'spmd.rule' is no dictionary}}
  %0 = stablehlo.custom_call @f(%x) {spmd.rule = "([i])->([i])"} : (tensor<4xf32>) -> tensor<4xf32>
  return
}

// -----

// What a tool noted of a call is loose about sizes where the op is known; it stands for one that nobody knows.
sdy.mesh @mesh = <["x"=2]>
func.func @noted(%x: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8xf32> {
  // expected-error @below {{'stablehlo.custom_call' op sharding rule gives dim 1 of operand 0 size 8, the tensor has 4}}
  %0 = stablehlo.custom_call @f(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i]) {i=8, j=8}>} : (tensor<8x4xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

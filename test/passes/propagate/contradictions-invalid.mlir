// RUN: spmd-opt %s --spmd-propagate --verify-diagnostics --split-input-file

// Members of a group lie alike; two that are pinned otherwise cannot.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// expected-note @below {{pinned as [{"x"}, {}] here}}
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
  // expected-note @below {{pinned as [{?}, {"y"}] here}}
  %c = sdy.sharding_constraint %b <@mesh, [{?}, {"y"}]> : tensor<4x8xf32>
  sdy.sharding_group %a group_id=3 : tensor<4x8xf32>
  // expected-error @below {{'sdy.sharding_group' op ties a value pinned as [{?}, {"y"}] to group 3, of which another is pinned as [{"x"}, {}]; pin both alike, or one alone}}
  sdy.sharding_group %c group_id=3 : tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}

// -----

// What is open may grow into what the other says.
sdy.mesh @mesh = <["x"=2, "y"=2]>
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y"}, {?}]>}) -> tensor<4x8xf32> {
  sdy.sharding_group %a group_id=3 : tensor<4x8xf32>
  sdy.sharding_group %b group_id=3 : tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}

// -----

// One axis cannot split two dims.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// expected-note @below {{pinned as [{"x", ?}, {?}] here}}
// expected-note @below {{pinned as [{?}, {"x", ?}] here}}
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", ?}, {?}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {"x", ?}]>}) -> tensor<4x8xf32> {
  sdy.sharding_group %a group_id=3 : tensor<4x8xf32>
  // expected-error @below {{'sdy.sharding_group' op ties a value pinned as [{?}, {"x", ?}] to group 3, of which another is pinned as [{"x", ?}, {?}]; pin both alike, or one alone}}
  sdy.sharding_group %b group_id=3 : tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}

// -----

// The first says nothing of what the others contradict each other in.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// expected-note @below {{pinned as [{"x"}, {?}] here}}
// expected-note @below {{pinned as [{"y"}, {?}] here}}
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {?}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {?}]>}, %c: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"y"}, {?}]>}) -> tensor<4x8xf32> {
  sdy.sharding_group %a group_id=3 : tensor<4x8xf32>
  sdy.sharding_group %b group_id=3 : tensor<4x8xf32>
  // expected-error @below {{'sdy.sharding_group' op ties a value pinned as [{"y"}, {?}] to group 3, of which another is pinned as [{"x"}, {?}]; pin both alike, or one alone}}
  sdy.sharding_group %c group_id=3 : tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}

// -----

// Members may be in several functions.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// expected-note @below {{pinned as [{"x"}, {}] here}}
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
  sdy.sharding_group %a group_id=3 : tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}
// expected-note @below {{pinned as [{}, {"y"}] here}}
func.func @other(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<4x8xf32> {
  // expected-error @below {{'sdy.sharding_group' op ties a value pinned as [{}, {"y"}] to group 3, of which another is pinned as [{"x"}, {}]; pin both alike, or one alone}}
  sdy.sharding_group %a group_id=3 : tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}

// -----

// A function says how it takes its argument, its caller how it holds it.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// expected-note @below {{pinned as [{"x"}, {}] here}}
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
  // expected-note @below {{pinned as [{"y"}, {}] here}}
  // expected-remark @below {{'func.call' op has result 0 as [{"y"}, {}], which @f returns as [{}, {"x"}]; it is moved at every call}}
  // expected-remark @below {{'func.call' op passes operand 0 as [{"x"}, {}], which @f takes as [{}, {"y"}]; it is moved at every call}}
  %0 = call @f(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>} : (tensor<4x8xf32>) -> tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}
// expected-note @below {{pinned as [{}, {"x"}] here}}
// expected-note @below {{pinned as [{}, {"y"}] here}}
func.func private @f(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"x"}]>}) {
  return %a : tensor<4x8xf32>
}

// -----

// What a loop carries is pinned in its body and outside.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// expected-note @below {{comes in as [{"x"}, {}]}}
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<4x8xf32> {
  %n = stablehlo.constant dense<3> : tensor<i32>
  %z = stablehlo.constant dense<0> : tensor<i32>
  %o = stablehlo.constant dense<1> : tensor<i32>
  // expected-remark @below {{'stablehlo.while' op carries value 1 as [{"x"}, {"y"}], but its body returns it as [{}, {"y"}]; it is moved in every turn}}
  %r:2 = stablehlo.while(%i = %z, %c = %a) : tensor<i32>, tensor<4x8xf32>
  cond {
    %p = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  } do {
    %j = stablehlo.add %i, %o : tensor<i32>
    // expected-note @below {{pinned here}}
    %d = sdy.sharding_constraint %c <@mesh, [{}, {"y"}]> : tensor<4x8xf32>
    stablehlo.return %j, %d : tensor<i32>, tensor<4x8xf32>
  }
  return %r#1 : tensor<4x8xf32>
}

// -----

// One device alone holds nothing here: the program is one for all devices.
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @one = <[], device_ids=[2]>
// expected-remark @below {{argument 0 of @main is pinned to device 2; every device holds it whole, that one included}}
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@one, []>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  // expected-remark @below {{'sdy.sharding_constraint' op result 0 is pinned to device 2; every device holds it whole, that one included}}
  %0 = sdy.sharding_constraint %a <@one, []> : tensor<4x8xf32>
  return %0 : tensor<4x8xf32>
}

// -----

// A device that the program does not have.
sdy.mesh @mesh = <["x"=4]>
sdy.mesh @one = <[], device_ids=[4]>
// expected-error @below {{argument 0 of @main is pinned to device 4; the program has 4 devices, from 0 on}}
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@one, []>}) -> (tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) {
  return %a : tensor<4x8xf32>
}

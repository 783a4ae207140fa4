// RUN: spmd-opt %s --spmd-propagate=conflicts=shardy --verify-diagnostics

// By Shardy's rules, members of a group that are pinned otherwise stay as they are.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// expected-note @below {{pinned as [{"x"}, {}] here}}
// expected-note @below {{pinned as [{}, {"y"}] here}}
func.func @main(%a: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}, %b: tensor<4x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}, {"y"}]>}) -> tensor<4x8xf32> {
  sdy.sharding_group %a group_id=3 : tensor<4x8xf32>
  // expected-warning @below {{'sdy.sharding_group' op ties a value pinned as [{}, {"y"}] to group 3, of which another is pinned as [{"x"}, {}]; each stays as it is pinned}}
  sdy.sharding_group %b group_id=3 : tensor<4x8xf32>
  return %a : tensor<4x8xf32>
}

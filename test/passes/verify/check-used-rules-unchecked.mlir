// RUN: spmd-opt %s --spmd-pipeline --verify-diagnostics -o %t
// RUN: spmd-opt %s --spmd-check-rules=used=true --verify-diagnostics -o %t
// A rule of a call of which nothing says what it computes is taken as true, and the user is told, once for each target.

sdy.mesh @mesh = <["x"=2]>
func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
  // expected-remark @below {{'stablehlo.custom_call' op @f is split by a rule that is not checked: nothing says what it computes; name a function that computes it as reference: of its rule in the plan, or as spmd.reference on the call}}
  %0 = stablehlo.custom_call @f(%x) {sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>} : (tensor<4xf32>) -> tensor<4xf32>
  %1 = stablehlo.custom_call @f(%0) {n = 1 : i64, sdy.sharding_rule = #sdy.op_sharding_rule<([i])->([i]) {i=4}, custom>} : (tensor<4xf32>) -> tensor<4xf32>
  // expected-remark @below {{'stablehlo.custom_call' op @g is split by a rule that is not checked: nothing says what it computes}}
  %2 = stablehlo.custom_call @g(%1) {spmd.rule = {dims = "([i])->([i])"}} : (tensor<4xf32>) -> tensor<4xf32>
  %3 = stablehlo.custom_call @h(%2) {spmd.reference = @twice, spmd.rule = {dims = "([i])->([i])"}} : (tensor<4xf32>) -> tensor<4xf32>
  return %3 : tensor<4xf32>
}
func.func private @twice(%x: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %x, %x : tensor<?xf32>
  return %0 : tensor<?xf32>
}

// RUN: spmd-opt %s --spmd-pipeline --verify-diagnostics

// What merges the results of a ring takes those that stay where they are twice, here the largest and the sum of each row, and
// gives them once. It need not be of their sizes, which are those of parts.
sdy.mesh @mesh = <["x"=2]>
func.func private @too_few(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
func.func private @other_rank(%a: tensor<?xf32>, %b: tensor<?x?xi32>, %c: tensor<?xf32>, %d: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
  return %a, %d : tensor<?xf32>, tensor<?xi32>
}
func.func private @other_type(%a: tensor<?xf32>, %b: tensor<?xi32>, %c: tensor<?xf32>, %d: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xf32>) {
  return %a, %c : tensor<?xf32>, tensor<?xf32>
}
func.func private @one_result(%a: tensor<?xf32>, %b: tensor<?xi32>, %c: tensor<?xf32>, %d: tensor<?xi32>) -> tensor<?xf32> {
  return %a : tensor<?xf32>
}
func.func private @right(%a: tensor<?xf32>, %b: tensor<?xi32>, %c: tensor<?xf32>, %d: tensor<?xi32>) -> (tensor<?xf32>, tensor<?xi32>) {
  return %a, %b : tensor<?xf32>, tensor<?xi32>
}
func.func @main(%x: tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {}]>}, %y: tensor<6x3xf32> {sdy.sharding = #sdy.sharding<@mesh, [{?}, {}]>}) {
  // expected-error @below {{'stablehlo.custom_call' op rule merges by @too_few, which has 2 arguments; expected 4, twice the results that stay where they are}}
  %0:2 = stablehlo.custom_call @f(%x, %y) {spmd.rule = {dims = "([i, k], [j, k])->([i], [i])", along = [{factor = "j", with = "i", ways = ["ring"], merge = @too_few}]}}
      : (tensor<6x3xf32>, tensor<6x3xf32>) -> (tensor<6xf32>, tensor<6xi32>)
  // expected-error @below {{'stablehlo.custom_call' op rule merges by @other_rank, which has argument 1 of type tensor<?x?xi32>, for parts of tensor<6xi32>; give it the same element type and as many dims}}
  %1:2 = stablehlo.custom_call @f(%x, %y) {spmd.rule = {dims = "([i, k], [j, k])->([i], [i])", along = [{factor = "j", with = "i", ways = ["gather", "ring"], merge = @other_rank}]}}
      : (tensor<6x3xf32>, tensor<6x3xf32>) -> (tensor<6xf32>, tensor<6xi32>)
  // expected-error @below {{'stablehlo.custom_call' op rule merges by @other_type, which has result 1 of type tensor<?xf32>, for parts of tensor<6xi32>; give it the same element type and as many dims}}
  %2:2 = stablehlo.custom_call @f(%x, %y) {spmd.rule = {dims = "([i, k], [j, k])->([i], [i])", along = [{factor = "j", with = "i", ways = ["ring"], merge = @other_type}]}}
      : (tensor<6x3xf32>, tensor<6x3xf32>) -> (tensor<6xf32>, tensor<6xi32>)
  // expected-error @below {{'stablehlo.custom_call' op rule merges by @one_result, which has 1 results; expected 2, the results that stay where they are}}
  %3:2 = stablehlo.custom_call @f(%x, %y) {spmd.rule = {dims = "([i, k], [j, k])->([i], [i])", along = [{factor = "j", with = "i", ways = ["ring"], merge = @one_result}]}}
      : (tensor<6x3xf32>, tensor<6x3xf32>) -> (tensor<6xf32>, tensor<6xi32>)
  // expected-remark @below {{'stablehlo.custom_call' op @f is split by a rule that is not checked: nothing says what it computes}}
  %4:2 = stablehlo.custom_call @f(%x, %y) {spmd.rule = {dims = "([i, k], [j, k])->([i], [i])", along = [{factor = "j", with = "i", ways = ["ring"], merge = @right}]}}
      : (tensor<6x3xf32>, tensor<6x3xf32>) -> (tensor<6xf32>, tensor<6xi32>)
  // Where no ring is listed, nothing is merged.
  %5:2 = stablehlo.custom_call @f(%x, %y) {spmd.rule = {dims = "([i, k], [j, k])->([i], [i])", along = [{factor = "j", with = "i", ways = ["gather"], merge = @too_few}]}}
      : (tensor<6x3xf32>, tensor<6x3xf32>) -> (tensor<6xf32>, tensor<6xi32>)
  return
}

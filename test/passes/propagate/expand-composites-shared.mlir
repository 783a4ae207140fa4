// RUN: spmd-opt %s --spmd-propagate --spmd-expand-composites | FileCheck %s
// RUN: spmd-opt %s --spmd-propagate --spmd-expand-composites | FileCheck %s --check-prefix=HELPER
// RUN: spmd-opt %s --spmd-propagate --spmd-expand-composites | FileCheck %s --check-prefix=NEST
// RUN: spmd-opt %s --spmd-propagate --spmd-expand-composites | FileCheck %s --check-prefix=ORIGINAL --implicit-check-not='@doubled{{[0-9]_[0-9]+_}}'

// What several decompositions name is copied once, and split as each caller wants it. Of a nest in which each composite is made of two that
// are split differently, a level has as many functions as there are ways in which its composites lie, not twice those of the one above.
sdy.mesh @mesh = <["x"=2, "y"=2]>
// CHECK-LABEL: func.func @main(
// CHECK: call @[[FIRST:first_[0-9]+]](%arg0)
// CHECK: call @[[SECOND:second_[0-9]+]](%0)
func.func @main(%a: tensor<8x4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}, {}]>}) -> tensor<8x4xf32> {
  %0 = stablehlo.composite "my.first" %a {decomposition = @first, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.composite "my.second" %0 {decomposition = @second, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.composite "my.doubled" %1 {decomposition = @doubled0, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}

// CHECK: func.func private @[[FIRST]](
// CHECK: call @[[SHARED:helper[_0-9]*]](
// CHECK: func.func private @[[SECOND]](
// CHECK: call @[[SHARED]](
// HELPER-COUNT-1: func.func private @helper
// HELPER-NOT: func.func private @helper
func.func private @first(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = call @helper(%a) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}
func.func private @second(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.tanh %a : tensor<8x4xf32>
  %1 = call @helper(%0) : (tensor<8x4xf32>) -> tensor<8x4xf32>
  return %1 : tensor<8x4xf32>
}
func.func private @helper(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.sine %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

func.func private @doubled0(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.composite "my.rows" %a {decomposition = @doubled1, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.composite "my.columns" %a {decomposition = @doubled1, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
func.func private @doubled1(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.composite "my.rows" %a {decomposition = @doubled2, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.composite "my.columns" %a {decomposition = @doubled2, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
func.func private @doubled2(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.composite "my.rows" %a {decomposition = @doubled3, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"y"}, {}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %1 = stablehlo.composite "my.columns" %a {decomposition = @doubled3, sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}, {"x"}]>]>, sdy.sharding_rule = #sdy.op_sharding_rule<([i, j])->([i, j]) {i=8, j=4}>} : (tensor<8x4xf32>) -> tensor<8x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<8x4xf32>
  return %2 : tensor<8x4xf32>
}
// Each copy is one of the original, and none of another copy: a deep nest takes as long as it has levels.
// ORIGINAL: func.func private @doubled3_{{[0-9]+}}(
// NEST-COUNT-3: func.func private @doubled3
// NEST-NOT: func.func private @doubled3
func.func private @doubled3(%a: tensor<8x4xf32>) -> tensor<8x4xf32> {
  %0 = stablehlo.cosine %a : tensor<8x4xf32>
  return %0 : tensor<8x4xf32>
}

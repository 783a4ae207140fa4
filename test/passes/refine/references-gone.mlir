// RUN: spmd-opt %s --spmd-pipeline | FileCheck %s
// Functions that no call of the program names as what it computes do not stay behind it; those that one names do, with what
// they call.
sdy.mesh @mesh = <["x"=2]>
// CHECK: stablehlo.custom_call @double
// CHECK: module @spmd.references
// CHECK-NOT: @nobody
// CHECK: func.func private @twice
// CHECK-NOT: @nobody
// CHECK: func.func private @sum
// CHECK-NOT: @nobody
func.func @main(%t: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @double(%t) {spmd.reference = @twice, spmd.rule = {dims = "([i])->([i])"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}
func.func private @nobody_names(%t: tensor<?xf32>) -> tensor<?xf32> {
  return %t : tensor<?xf32>
}
func.func private @twice(%t: tensor<?xf32>) -> tensor<?xf32> {
  %0 = func.call @sum(%t, %t) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
func.func private @sum(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.add %a, %b : tensor<?xf32>
  return %0 : tensor<?xf32>
}

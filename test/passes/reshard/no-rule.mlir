// RUN: spmd-opt %s --spmd-reshard --verify-diagnostics | FileCheck %s

// Without a rule an op runs whole on every device, and says so.
sdy.mesh @mesh = <["x"=2]>
// CHECK-LABEL: func.func @main(
// CHECK: %[[WHOLE:.+]] = sdy.reshard %arg0 <@mesh, [{}]>
// CHECK: %[[RESULT:.+]] = stablehlo.custom_call @unheard_of(%[[WHOLE]]) {{.*}}<@mesh, [{}]>
// CHECK: sdy.reshard %[[RESULT]] <@mesh, [{"x"}]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) {
  // expected-warning @below {{'stablehlo.custom_call' op @unheard_of has no sharding rule; every device runs it whole}}
  // expected-note @below {{operand 0 has sharding [{"x"}]}}
  // expected-note @below {{a rule to begin with, for a plan: rule { target: "unheard_of" rule: "([i])->([i])" }; take letters out of need_replication where the op can be split, and put i in, which is taken for a batch, if it is none}}
  %0 = stablehlo.custom_call @unheard_of(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x"}]>]>} : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}

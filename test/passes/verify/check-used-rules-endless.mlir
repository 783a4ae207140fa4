// A reference that comes to no end leaves a rule unchecked.
// RUN: spmd-opt %s --spmd-pipeline 2>&1 | FileCheck %s
// RUN: spmd-opt %s --spmd-check-rules -o %t 2>&1 | FileCheck %s --check-prefix=SAID
// CHECK-NOT: {{warning|error}}
// CHECK: stablehlo.custom_call @endless
// SAID: warning: 'stablehlo.custom_call' op rule is not checked: {{.*}}the run takes more than the 67108864 operations that it may

sdy.mesh @mesh = <["x"=2]>
func.func private @again(%x: tensor<?xf32>) -> tensor<?xf32> {
  %true = stablehlo.constant dense<true> : tensor<i1>
  %0 = stablehlo.while(%c = %x) : tensor<?xf32>
  cond {
    stablehlo.return %true : tensor<i1>
  } do {
    %1 = stablehlo.negate %c : tensor<?xf32>
    stablehlo.return %1 : tensor<?xf32>
  }
  return %0 : tensor<?xf32>
}
func.func @main(%x: tensor<8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<8xf32> {
  %0 = stablehlo.custom_call @endless(%x) {spmd.reference = @again, spmd.rule = {dims = "([i])->([i])"}} : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}

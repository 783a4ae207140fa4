// Values that nothing reached are marked and listed, however many, and with `verbose` each told of.
// RUN: %python %S/longer.py %s > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate=verbose=true -o %t.out 2>&1 | FileCheck %s --check-prefix=WARN --implicit-check-not=remark:
// RUN: FileCheck %s --check-prefix=MARKED < %t.out
// RUN: spmd-opt %t.mlir --spmd-propagate="on-missing=replicate verbose=true" -o %t.out 2>&1 | FileCheck %s --check-prefixes=WARN,WHOLE
// RUN: not spmd-opt %t.mlir --spmd-propagate=on-missing=error 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: spmd-opt %t.mlir --spmd-explain=missing | FileCheck %s --check-prefix=ALL

// MARKED-COUNT-52: spmd.missing_sharding
// MARKED-NOT: spmd.missing_sharding
// ERROR-COUNT-52: error: {{.*}} has no sharding
// ERROR-NOT: has no sharding
// ALL-COUNT-52: has no sharding
// ALL-NOT: has no sharding
// WARN-COUNT-52: warning: {{.*}} has no sharding
// WARN-NOT: warning:
// WHOLE: remark: 52 values have no sharding; held whole on every device

sdy.mesh @mesh = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %b: tensor<4xf32>, %c: tensor<6xf32>)
    -> (tensor<4xf32>, tensor<4xf32>, tensor<6xf32>) {
  %0 = stablehlo.tanh %b : tensor<4xf32>
  %1 = call @f(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = stablehlo.negate %c : tensor<6xf32>
  %3 = stablehlo.cosine %1 : tensor<4xf32>
  return %a, %3, %2 : tensor<4xf32>, tensor<4xf32>, tensor<6xf32>
}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.abs %a : tensor<4xf32>
  return %0 : tensor<4xf32>
}

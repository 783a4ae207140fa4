// Values that nothing reached are each told of while they are few; of many, the first few of each group. All are marked.
// RUN: spmd-opt %s --spmd-propagate 2>%t | FileCheck %s
// RUN: FileCheck %s --check-prefix=FEW --implicit-check-not="not shown" --implicit-check-not=remark: < %t
// RUN: %python %S/longer.py %s > %t.mlir
// RUN: spmd-opt %t.mlir --spmd-propagate -o %t.out 2>&1 | FileCheck %s --check-prefix=WARN --implicit-check-not=warning:
// RUN: FileCheck %s --check-prefix=MARKED < %t.out
// RUN: spmd-opt %t.mlir --spmd-propagate=on-missing=replicate -o %t.out 2>&1 | FileCheck %s --check-prefix=WHOLE
// RUN: not spmd-opt %t.mlir --spmd-propagate=on-missing=error 2>&1 | FileCheck %s --check-prefix=ERROR
// RUN: spmd-opt %t.mlir --spmd-explain=missing | FileCheck %s --check-prefix=ALL

// CHECK-COUNT-8: spmd.missing_sharding
// CHECK-NOT: spmd.missing_sharding
// MARKED-COUNT-52: spmd.missing_sharding
// MARKED-NOT: spmd.missing_sharding
// ERROR-COUNT-52: error: {{.*}} has no sharding
// ERROR-NOT: has no sharding
// ALL-COUNT-52: has no sharding
// ALL-NOT: has no sharding

// FEW-COUNT-8: warning: {{.*}} has no sharding
// FEW-NOT: has no sharding

// WARN: warning: argument 1 of @main has no sharding
// WARN: note: 47 more values that are tied to it have no sharding and are not shown
// WARN: warning: argument 2 of @main has no sharding
// WARN-NOT: not shown
// WARN: warning: 'stablehlo.tanh' op result 0 has no sharding
// WARN: warning: 'func.call' op result 0 has no sharding
// WARN-NOT: not shown
// WARN: warning: 'stablehlo.negate' op result 0 has no sharding
// WARN: remark: 52 values have no sharding; 5 are shown, spmd-opt --spmd-explain=missing lists all

// WHOLE: remark: 52 values have no sharding; held whole on every device; 5 are shown, spmd-opt --spmd-explain=missing lists all

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

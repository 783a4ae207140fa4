// RUN: spmd-opt %s --spmd-reshard=on-missing=replicate --verify-diagnostics | FileCheck %s
// RUN: spmd-opt %s --spmd-reshard=on-missing=replicate --spmd-verify-resharded --spmd-partition --spmd-verify-partitioned 2>/dev/null | FileCheck %s --check-prefix=LOCAL

// What is whole for want of a sharding says so, so that borders agree: arguments and results of
// functions, and of loops.
sdy.mesh @mesh = <["x"=2]>
// CHECK: func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, spmd.inferred}, %arg1: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}
// CHECK-SAME: -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, spmd.inferred}, tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>, spmd.inferred})
// CHECK: %[[WHOLE:.+]] = sdy.reshard %arg1 <@mesh, [{}]>
// CHECK: call @f(%[[WHOLE]]) {{.*}}<@mesh, [{}]>
// CHECK: stablehlo.while(%{{.+}} = %arg2, %{{.+}} = %[[WHOLE]])
// CHECK: func.func private @f(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, spmd.inferred}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>, spmd.inferred})
// LOCAL: func.func @main(%arg0: tensor<4xf32> {{.*}}, %arg1: tensor<2xf32> {{.*}} -> (tensor<4xf32> {{.*}}, tensor<2xf32>
// expected-warning @below {{argument 0 of @main has no sharding; every device holds it whole; annotate it to split it}}
func.func @main(%a: tensor<4xf32>, %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}, %n: tensor<i1>) -> (tensor<4xf32>, tensor<4xf32>) {
  // expected-warning @below {{'func.call' op result 0 has no sharding; every device holds it whole; annotate it to split it}}
  %0 = call @f(%b) : (tensor<4xf32>) -> tensor<4xf32>
  // expected-warning @below {{'stablehlo.while' op result 1 has no sharding; every device holds it whole; annotate it to split it}}
  %1:2 = stablehlo.while(%p = %n, %c = %b) : tensor<i1>, tensor<4xf32>
  cond {
    stablehlo.return %p : tensor<i1>
  } do {
    stablehlo.return %p, %0 : tensor<i1>, tensor<4xf32>
  }
  return %1#1, %b : tensor<4xf32>, tensor<4xf32>
}
// expected-warning @below {{argument 0 of @f has no sharding; every device holds it whole; annotate it to split it}}
func.func private @f(%a: tensor<4xf32>) -> tensor<4xf32> {
  return %a : tensor<4xf32>
}

// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @while
func.func @while(%x: tensor<2xf32>, %n: tensor<i32>) {
  // CHECK: stablehlo.while(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}}) : tensor<i32>, tensor<2xf32> attributes {mhlo.note = 1 : i32}
  %0:2 = stablehlo.while(%iterArg = %n, %iterArg_0 = %x) : tensor<i32>, tensor<2xf32> attributes {mhlo.note = 1 : i32}
  // CHECK: cond {
  cond {
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}} : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %1 = stablehlo.compare LT, %iterArg, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
  // CHECK: stablehlo.return %{{.*}} : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  // CHECK: } do {
  } do {
  // CHECK: stablehlo.negate %{{.*}} : tensor<2xf32>
    %2 = stablehlo.negate %iterArg_0 : tensor<2xf32>
  // CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<i32>, tensor<2xf32>
    stablehlo.return %iterArg, %2 : tensor<i32>, tensor<2xf32>
  // CHECK: }
  }
  return
}

// CHECK-LABEL: func @branches
func.func @branches(%p: tensor<i1>, %i: tensor<i32>, %x: tensor<2xf32>) {
  // CHECK: "stablehlo.if"(%{{.*}}) ({
  %0 = "stablehlo.if"(%p) ({
  // CHECK: stablehlo.return %{{.*}} : tensor<2xf32>
    stablehlo.return %x : tensor<2xf32>
  // CHECK: }, {
  }, {
  // CHECK: stablehlo.negate %{{.*}} : tensor<2xf32>
    %2 = stablehlo.negate %x : tensor<2xf32>
  // CHECK: stablehlo.return %{{.*}} : tensor<2xf32>
    stablehlo.return %2 : tensor<2xf32>
  // CHECK: }) : (tensor<i1>) -> tensor<2xf32>
  }) : (tensor<i1>) -> tensor<2xf32>
  // CHECK: "stablehlo.case"(%{{.*}}) ({
  "stablehlo.case"(%i) ({
  // CHECK: stablehlo.return
    stablehlo.return
  // CHECK: }, {
  }, {
  // CHECK: stablehlo.return
    stablehlo.return
  // CHECK: }) : (tensor<i32>) -> ()
  }) : (tensor<i32>) -> ()
  return
}

// CHECK-LABEL: func @optimization_barrier
func.func @optimization_barrier(%x: tensor<2xf32>, %t: !stablehlo.token) {
  // CHECK: stablehlo.optimization_barrier %{{.*}}, %{{.*}} : tensor<2xf32>, !stablehlo.token
  %0:2 = stablehlo.optimization_barrier %x, %t : tensor<2xf32>, !stablehlo.token
  // CHECK: stablehlo.optimization_barrier()
  stablehlo.optimization_barrier()
  return
}

// CHECK-LABEL: func @arguments_more_static_than_results
func.func @arguments_more_static_than_results(%x: tensor<3xf32>) {
  // CHECK: stablehlo.while(%{{.*}}) ({
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<3xf32>):
  // CHECK-NEXT: stablehlo.constant dense<false> : tensor<i1>
  // CHECK-NEXT: stablehlo.return %{{.*}} : tensor<i1>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<?xf32>):
  // CHECK-NEXT: stablehlo.return %{{.*}} : tensor<?xf32>
  // CHECK-NEXT: }) : (tensor<3xf32>) -> tensor<?xf32>
  %0 = stablehlo.while(%x) ({
  ^bb0(%a: tensor<3xf32>):
    %c = stablehlo.constant dense<false> : tensor<i1>
    stablehlo.return %c : tensor<i1>
  }, {
  ^bb0(%a: tensor<?xf32>):
    stablehlo.return %a : tensor<?xf32>
  }) : (tensor<3xf32>) -> tensor<?xf32>
  return
}

// CHECK-LABEL: func @barrier_with_attributes
func.func @barrier_with_attributes(%x: tensor<3xf32>) {
  // CHECK: stablehlo.optimization_barrier {a.b = 1 : i32} %{{.*}}, %{{.*}} : tensor<3xf32>, tensor<3xf32>
  %0:2 = stablehlo.optimization_barrier {a.b = 1 : i32} %x, %x : tensor<3xf32>, tensor<3xf32>
  return
}

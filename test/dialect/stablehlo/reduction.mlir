// RUN: spmd-opt %s | spmd-opt | FileCheck %s
// RUN: spmd-opt %s --mlir-print-op-generic | spmd-opt | FileCheck %s

// CHECK-LABEL: func @reduce_compact
func.func @reduce_compact(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  %0 = stablehlo.reduce(%x init: %c) applies stablehlo.add across dimensions = [0, 1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<f32>
  return
}

// CHECK-LABEL: func @reduce_compact_is_recognized
func.func @reduce_compact_is_recognized(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) applies stablehlo.maximum across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %0 = "stablehlo.reduce"(%x, %c) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %s = stablehlo.maximum %a, %b : tensor<f32>
    stablehlo.return %s : tensor<f32>
  }) {dimensions = array<i64: 1>} : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  return
}

// CHECK-LABEL: func @reduce_swapped_is_not_compact
func.func @reduce_swapped_is_not_compact(%x: tensor<2x3xf32>, %c: tensor<f32>) {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %0 = stablehlo.reduce(%x init: %c) across dimensions = [1] : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  // CHECK: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>)  {
   reducer(%a: tensor<f32>, %b: tensor<f32>)  {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<f32>
    %s = stablehlo.add %b, %a : tensor<f32>
  // CHECK: stablehlo.return %{{.*}} : tensor<f32>
    stablehlo.return %s : tensor<f32>
  // CHECK: }
  }
  return
}

// CHECK-LABEL: func @reduce_variadic
func.func @reduce_variadic(%x: tensor<2x3xf32>, %y: tensor<2x3xi32>, %c: tensor<f32>, %d: tensor<i32>) {
  // CHECK: stablehlo.reduce(%{{.*}} init: %{{.*}}), (%{{.*}} init: %{{.*}}) across dimensions = [0] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  %0:2 = stablehlo.reduce(%x init: %c), (%y init: %d) across dimensions = [0] : (tensor<2x3xf32>, tensor<2x3xi32>, tensor<f32>, tensor<i32>) -> (tensor<3xf32>, tensor<3xi32>)
  // CHECK: reducer(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>) (%{{.*}}: tensor<i32>, %{{.*}}: tensor<i32>)  {
   reducer(%a: tensor<f32>, %b: tensor<f32>) (%i: tensor<i32>, %j: tensor<i32>)  {
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<f32>
    %s = stablehlo.add %a, %b : tensor<f32>
  // CHECK: stablehlo.maximum %{{.*}}, %{{.*}} : tensor<i32>
    %t = stablehlo.maximum %i, %j : tensor<i32>
  // CHECK: stablehlo.return %{{.*}}, %{{.*}} : tensor<f32>, tensor<i32>
    stablehlo.return %s, %t : tensor<f32>, tensor<i32>
  // CHECK: }
  }
  return
}

// CHECK-LABEL: func @reduce_window
func.func @reduce_window(%x: tensor<8x9xf32>, %c: tensor<f32>) {
  // CHECK: "stablehlo.reduce_window"(%{{.*}}, %{{.*}}) <{padding = dense<{{\[\[}}1, 0], [0, 1{{\]\]}}> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  %0 = "stablehlo.reduce_window"(%x, %c) <{padding = dense<[[1, 0], [0, 1]]> : tensor<2x2xi64>, window_dimensions = array<i64: 3, 2>, window_strides = array<i64: 2, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
  // CHECK: stablehlo.add %{{.*}}, %{{.*}} : tensor<f32>
    %s = stablehlo.add %a, %b : tensor<f32>
  // CHECK: stablehlo.return %{{.*}} : tensor<f32>
    stablehlo.return %s : tensor<f32>
  // CHECK: }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<4x9xf32>
  }) : (tensor<8x9xf32>, tensor<f32>) -> tensor<4x9xf32>
  return
}

// CHECK-LABEL: func @sort
func.func @sort(%x: tensor<2x3xf32>) {
  // CHECK: "stablehlo.sort"(%{{.*}}) <{dimension = 1 : i64, is_stable = true}> ({
  %0 = "stablehlo.sort"(%x) <{dimension = 1 : i64, is_stable = true}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
  // CHECK: stablehlo.compare LT, %{{.*}}, %{{.*}}, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
    %1 = stablehlo.compare LT, %a, %b, TOTALORDER : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK: stablehlo.return %{{.*}} : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  // CHECK: }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// CHECK-LABEL: func @bodies_on_elements
func.func @bodies_on_elements(%x: tensor<4x6xf32>, %y: tensor<4x6xi32>, %s: tensor<2x3xf32>, %i: tensor<f32>) {
  // CHECK: "stablehlo.map"(%{{.*}}, %{{.*}}) <{dimensions = array<i64: 0, 1>}> ({
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<i32>):
  // CHECK-NEXT: stablehlo.return %{{.*}} : tensor<i32>
  // CHECK-NEXT: }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> tensor<4x6xi32>
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<i32>):
    stablehlo.return %b : tensor<i32>
  }) : (tensor<4x6xf32>, tensor<4x6xi32>) -> tensor<4x6xi32>
  // CHECK: "stablehlo.select_and_scatter"(%{{.*}}, %{{.*}}, %{{.*}}) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>):
  // CHECK-NEXT: stablehlo.compare GE, %{{.*}}, %{{.*}} : (tensor<f32>, tensor<f32>) -> tensor<i1>
  // CHECK-NEXT: stablehlo.return %{{.*}} : tensor<i1>
  // CHECK-NEXT: }, {
  // CHECK-NEXT: ^bb0(%{{.*}}: tensor<f32>, %{{.*}}: tensor<f32>):
  // CHECK-NEXT: stablehlo.add %{{.*}}, %{{.*}} : tensor<f32>
  // CHECK-NEXT: stablehlo.return %{{.*}} : tensor<f32>
  // CHECK-NEXT: }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  %1 = "stablehlo.select_and_scatter"(%x, %s, %i) <{padding = dense<0> : tensor<2x2xi64>, window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.compare GE, %a, %b : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %2 : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %2 = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %2 : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

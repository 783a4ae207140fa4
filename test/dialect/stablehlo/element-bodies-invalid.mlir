// RUN: spmd-opt %s --allow-unregistered-dialect --verify-diagnostics --split-input-file

// map_c1
func.func @map_c1(%x: tensor<2x3xf32>, %y: tensor<2x4xf32>) {
  // expected-error@below {{'stablehlo.map' op operand 1 has size 4 in dim 1, operand 0 has size 3}}
  %0 = "stablehlo.map"(%x, %y) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<2x3xf32>
  return
}

// -----

// map_c1
func.func @map_c1_result(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.map' op result 0 has size 3 in dim 0, operand 0 has size 2}}
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return
}

// -----

// map_c2
func.func @map_c2() {
  // expected-error@below {{'stablehlo.map' op has no inputs}}
  %0 = "stablehlo.map"() <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : () -> tensor<2x3xf32>
  return
}

// -----

// map_c3
func.func @map_c3(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.map' op dimensions has 1 at 0; they are 0, 1 and so on}}
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 1, 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// map_c3
func.func @map_c3_count(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.map' op dimensions has 1 entries, operand 0 has rank 2}}
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// map_c4
func.func @map_c4(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.map' op argument 0 of region 'computation' has type 'tensor<i32>', expected 'tensor<f32>'}}
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xf32>
  return
}

// -----

// map_c4
func.func @map_c4_result(%x: tensor<2x3xf32>) {
  // expected-error@below {{'stablehlo.map' op returned value 0 of region 'computation' has type 'tensor<f32>', expected 'tensor<i32>'}}
  %0 = "stablehlo.map"(%x) <{dimensions = array<i64: 0, 1>}> ({
  ^bb0(%a: tensor<f32>):
    stablehlo.return %a : tensor<f32>
  }) : (tensor<2x3xf32>) -> tensor<2x3xi32>
  return
}

// -----

// select_and_scatter_c1
func.func @select_and_scatter_c1(%x: tensor<4x6xf32>, %s: tensor<2x3xi32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op operand 1 has element type 'i32', operand 0 has 'f32'}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xi32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

// select_and_scatter_c2
func.func @select_and_scatter_c2(%x: tensor<4x6xf32>, %s: tensor<2x2xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op operand 1 has size 2 in dim 1, expected 3}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x2xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

// select_and_scatter_c3
func.func @select_and_scatter_c3(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<i32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op operand 2 has element type 'i32', operand 0 has 'f32'}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<i32>) -> tensor<4x6xf32>
  return
}

// -----

func.func @select_and_scatter_init(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<1xf32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op operand 2 has rank 1, expected 0}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<1xf32>) -> tensor<4x6xf32>
  return
}

// -----

// select_and_scatter_c4
func.func @select_and_scatter_c4(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op window_dimensions has 1 entries, the number of windowed dims is 2}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

// select_and_scatter_c5
func.func @select_and_scatter_c5(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op window_dimensions has 0 at 1; it is at least 1}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

// select_and_scatter_c6
func.func @select_and_scatter_c6(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op window_strides has 1 entries, the number of windowed dims is 2}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

// select_and_scatter_c7
func.func @select_and_scatter_c7(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op window_strides has 0 at 1; it is at least 1}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 0>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

// select_and_scatter_c8
func.func @select_and_scatter_c8(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op padding is 2x3, expected 2x2}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, padding = dense<0> : tensor<2x3xi64>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

// select_and_scatter_c9
func.func @select_and_scatter_c9(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op argument 0 of region 'select' has type 'tensor<i32>', expected 'tensor<f32>'}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = "t.compare"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

// select_and_scatter_c9
func.func @select_and_scatter_c9_result(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op returned value 0 of region 'select' has type 'tensor<i32>', expected 'tensor<i1>'}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i32>
    stablehlo.return %p : tensor<i32>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf32>
  return
}

// -----

// select_and_scatter_c10
func.func @select_and_scatter_c10(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op region 'scatter' computes 'i32' from input 0 of element type 'f32', which cannot be promoted to it}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %p = stablehlo.add %a, %b : tensor<i32>
    stablehlo.return %p : tensor<i32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xi32>
  return
}

// -----

// select_and_scatter_c11
func.func @select_and_scatter_c11(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op result 0 has size 4 in dim 1, operand 0 has size 6}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x4xf32>
  return
}

// -----

// select_and_scatter_c12
func.func @select_and_scatter_c12(%x: tensor<4x6xf32>, %s: tensor<2x3xf32>, %i: tensor<f32>) {
  // expected-error@below {{'stablehlo.select_and_scatter' op result 0 has element type 'f64', region 'scatter' computes 'f32'}}
  %0 = "stablehlo.select_and_scatter"(%x, %s, %i) <{window_dimensions = array<i64: 2, 2>, window_strides = array<i64: 2, 2>}> ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = "t.compare"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<i1>
    stablehlo.return %p : tensor<i1>
  }, {
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %p = stablehlo.add %a, %b : tensor<f32>
    stablehlo.return %p : tensor<f32>
  }) : (tensor<4x6xf32>, tensor<2x3xf32>, tensor<f32>) -> tensor<4x6xf64>
  return
}

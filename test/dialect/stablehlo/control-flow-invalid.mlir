// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// while_c1
func.func @while_c1(%n: tensor<i32>) {
  // expected-error@below {{'stablehlo.while' op returned value 0 of region 'cond' has type 'tensor<i32>', expected 'tensor<i1>'}}
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }, {
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

// while_c1
func.func @while_c1_arguments(%n: tensor<i32>) {
  // expected-error@below {{'stablehlo.while' op region 'cond' has 0 arguments, expected 1}}
  %0 = "stablehlo.while"(%n) ({
  ^bb0:
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

// while_c2
func.func @while_c2(%n: tensor<i32>) {
  // expected-error@below {{'stablehlo.while' op argument 0 of region 'body' has type 'tensor<i64>', expected 'tensor<i32>'}}
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%a: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i64>):
    stablehlo.return %a : tensor<i64>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

// while_c3
func.func @while_c3(%n: tensor<i32>) {
  // expected-error@below {{'stablehlo.while' op result 0 has type 'tensor<i64>', operand 0 has type 'tensor<i32>'}}
  %0 = "stablehlo.while"(%n) ({
  ^bb0(%a: tensor<i32>):
    %1 = stablehlo.constant dense<true> : tensor<i1>
    stablehlo.return %1 : tensor<i1>
  }, {
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i64>
  return
}

// -----

func.func @while_empty(%n: tensor<i32>) {
  // expected-error@below {{'stablehlo.while' op region 'cond' has 0 blocks, expected 1}}
  %0 = "stablehlo.while"(%n) ({}, {
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

// if_c1
func.func @if_c1(%p: tensor<i1>) {
  // expected-error@below {{'stablehlo.if' op region 'true_branch' has 1 arguments, expected 0}}
  "stablehlo.if"(%p) ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> ()
  return
}

// -----

// if_c3
func.func @if_c3(%p: tensor<i1>) {
  // expected-error@below {{'stablehlo.if' op region 'false_branch' has 0 returned values, expected 1}}
  %0 = "stablehlo.if"(%p) ({
    stablehlo.return %p : tensor<i1>
  }, {
    stablehlo.return
  }) : (tensor<i1>) -> tensor<i1>
  return
}

// -----

func.func @if_empty(%p: tensor<i1>) {
  // expected-error@below {{'stablehlo.if' op region 'true_branch' has 0 blocks, expected 1}}
  "stablehlo.if"(%p) ({}, {}) : (tensor<i1>) -> ()
  return
}

// -----

// case_c1
func.func @case_c1(%i: tensor<i32>) {
  // expected-error@below {{'stablehlo.case' op has no branches}}
  "stablehlo.case"(%i) : (tensor<i32>) -> ()
  return
}

// -----

// case_c4
func.func @case_c4(%i: tensor<i32>) {
  // expected-error@below {{'stablehlo.case' op returned value 0 of region 'branch 0' has type 'tensor<i32>', expected 'tensor<i64>'}}
  %0 = "stablehlo.case"(%i) ({
    stablehlo.return %i : tensor<i32>
  }) : (tensor<i32>) -> tensor<i64>
  return
}

// -----

func.func @case_index(%i: tensor<i64>) {
  // expected-error@below {{'stablehlo.case' op operand #0 must be tensor<i32>, but got 'tensor<i64>'}}
  "stablehlo.case"(%i) ({
    stablehlo.return
  }) : (tensor<i64>) -> ()
  return
}

// -----

// optimization_barrier_c1
func.func @optimization_barrier_c1(%n: tensor<i32>) {
  // expected-error@below {{'stablehlo.optimization_barrier' op result 0 has type 'tensor<i64>', operand 0 has type 'tensor<i32>'}}
  %0 = "stablehlo.optimization_barrier"(%n) : (tensor<i32>) -> tensor<i64>
  return
}

// -----

// if_c2
func.func @if_c2(%p: tensor<i1>) {
  // expected-error@below {{'stablehlo.if' op returned value 0 of region 'false_branch' has type 'tensor<i64>', expected 'tensor<i32>'}}
  %0 = "stablehlo.if"(%p) ({
    %t = stablehlo.constant dense<0> : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }, {
    %t = stablehlo.constant dense<0> : tensor<i64>
    stablehlo.return %t : tensor<i64>
  }) : (tensor<i1>) -> tensor<i32>
  return
}

// -----

// case_c2
func.func @case_c2(%p: tensor<i32>) {
  // expected-error@below {{'stablehlo.case' op region 'branch 0' has 1 arguments, expected 0}}
  %0 = "stablehlo.case"(%p) ({
  ^bb0(%a: tensor<i32>):
    stablehlo.return %a : tensor<i32>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// -----

// case_c3
func.func @case_c3(%p: tensor<i32>) {
  // expected-error@below {{'stablehlo.case' op returned value 0 of region 'branch 1' has type 'tensor<i64>', expected 'tensor<i32>'}}
  %0 = "stablehlo.case"(%p) ({
    %t = stablehlo.constant dense<0> : tensor<i32>
    stablehlo.return %t : tensor<i32>
  }, {
    %t = stablehlo.constant dense<0> : tensor<i64>
    stablehlo.return %t : tensor<i64>
  }) : (tensor<i32>) -> tensor<i32>
  return
}

// RUN: spmd-opt %s --verify-diagnostics --split-input-file

// composite_c1
func.func private @f(tensor<3xf32>) -> tensor<3xf32>
func.func @composite_c1(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.composite' op name is 'op', expected one such as 'my.op'}}
  %0 = stablehlo.composite "op" %x {decomposition = @f} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// composite_c1
func.func private @f(tensor<3xf32>) -> tensor<3xf32>
func.func @composite_c1_part(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.composite' op name is 'my.o-p', expected one such as 'my.op'}}
  %0 = stablehlo.composite "my.o-p" %x {decomposition = @f} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// composite_c2
func.func @composite_c2(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.composite' op decomposition names @g, which is no function here}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @g} : (tensor<3xf32>) -> tensor<3xf32>
  return
}

// -----

// composite_c3
func.func private @f(tensor<3xf32>) -> tensor<3xf32>
func.func @composite_c3(%x: tensor<4xf32>) {
  // expected-error@below {{'stablehlo.composite' op operand 0 has type 'tensor<4xf32>', in the decomposition it has type 'tensor<3xf32>'}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @f} : (tensor<4xf32>) -> tensor<3xf32>
  return
}

// -----

// composite_c3
func.func private @f(tensor<3xf32>) -> tensor<3xf32>
func.func @composite_c3_count() {
  // expected-error@below {{'stablehlo.composite' op has 0 operands, the decomposition has 1}}
  %0 = stablehlo.composite "my.op" {decomposition = @f} : () -> tensor<3xf32>
  return
}

// -----

// composite_c4
func.func private @f(tensor<3xf32>) -> tensor<3xf32>
func.func @composite_c4(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.composite' op result 0 has type 'tensor<3xi32>', in the decomposition it has type 'tensor<3xf32>'}}
  %0 = stablehlo.composite "my.op" %x {decomposition = @f} : (tensor<3xf32>) -> tensor<3xi32>
  return
}

// -----

// tuple_c1
func.func @tuple_c1(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.tuple' op operand 0 has type 'tensor<3xf32>', part 0 of result 0 has type 'tensor<4xf32>'}}
  %0 = stablehlo.tuple %x : (tensor<3xf32>) -> tuple<tensor<4xf32>>
  return
}

// -----

// tuple_c1
func.func @tuple_c1_count(%x: tensor<3xf32>) {
  // expected-error@below {{'stablehlo.tuple' op has 1 operands, result 0 has 2 parts}}
  %0 = stablehlo.tuple %x : (tensor<3xf32>) -> tuple<tensor<3xf32>, tensor<3xf32>>
  return
}

// -----

func.func @tuple_type(%x: tensor<3xf32>) {
  // expected-error@below {{custom op 'stablehlo.tuple' expected a tuple type, found 'tensor<3xf32>'}}
  %0 = stablehlo.tuple %x : tensor<3xf32>
  return
}

// -----

// get_tuple_element_c1
func.func @get_tuple_element_c1(%t: tuple<tensor<3xf32>>) {
  // expected-error@below {{'stablehlo.get_tuple_element' op index is 1, operand 0 has 1 parts}}
  %0 = stablehlo.get_tuple_element %t[1] : (tuple<tensor<3xf32>>) -> tensor<3xf32>
  return
}

// -----

// get_tuple_element_c1
func.func @get_tuple_element_c1_negative(%t: tuple<tensor<3xf32>>) {
  // expected-error@below {{'stablehlo.get_tuple_element' op index is -1, operand 0 has 1 parts}}
  %0 = stablehlo.get_tuple_element %t[-1] : (tuple<tensor<3xf32>>) -> tensor<3xf32>
  return
}

// -----

// get_tuple_element_c2
func.func @get_tuple_element_c2(%t: tuple<tensor<3xf32>>) {
  // expected-error@below {{'stablehlo.get_tuple_element' op result 0 has type 'tensor<3xi32>', part 0 of operand 0 has type 'tensor<3xf32>'}}
  %0 = stablehlo.get_tuple_element %t[0] : (tuple<tensor<3xf32>>) -> tensor<3xi32>
  return
}

// RUN: spmd-opt %s --spmd-legalize-chlo --verify-diagnostics --split-input-file

func.func @dynamic_operand(%x: tensor<?xf32>) -> tensor<?xf32> {
  // expected-error@below {{'chlo.erf' op operand 0 has type 'tensor<?xf32>'; only static shapes can be expanded}}
  %0 = chlo.erf %x : tensor<?xf32> -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

func.func @dynamic_result(%x: tensor<4xf32>) -> tensor<?xf32> {
  // expected-error@below {{'chlo.broadcast_add' op result 0 has type 'tensor<?xf32>'; only static shapes can be expanded}}
  %0 = chlo.broadcast_add %x, %x : (tensor<4xf32>, tensor<4xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}

// -----

// All are reported.
func.func @elements(%x: tensor<4xf6E3M2FN>, %y: tensor<4xf128>, %q: tensor<2x!quant.uniform<i8:f32, 2.0:15>>) {
  // expected-error@below {{'chlo.next_after' op has element type 'f6E3M2FN', for which there is no expansion}}
  %0 = chlo.next_after %x, %x : tensor<4xf6E3M2FN>, tensor<4xf6E3M2FN> -> tensor<4xf6E3M2FN>
  // expected-error@below {{'chlo.square' op has element type '!quant.uniform<i8:f32, 2.000000e+00:15>', for which there is no expansion; use stablehlo.uniform_dequantize on its operands}}
  %1 = chlo.square %q : tensor<2x!quant.uniform<i8:f32, 2.0:15>> -> tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  return
}

// -----

func.func @no_order(%x: tensor<4xcomplex<f32>>) {
  // expected-error@below {{'chlo.top_k' op operand 0 has element type 'complex<f32>', which has no order}}
  %0:2 = chlo.top_k(%x, k = 2) : tensor<4xcomplex<f32>> -> (tensor<2xcomplex<f32>>, tensor<2xi32>)
  return
}

// -----

func.func @quantized_scan(%c: tensor<2x!quant.uniform<i8:f32, 2.0:15>>) {
  // expected-error@below {{'chlo.scan' op has element type '!quant.uniform<i8:f32, 2.000000e+00:15>', for which there is no expansion; use stablehlo.uniform_dequantize on its operands}}
  %0 = chlo.scan() inits (%c) dimension=0 attributes {scan_dim_size = 2 : i64} {
  ^bb0(%a: tensor<2x!quant.uniform<i8:f32, 2.0:15>>):
    stablehlo.return %a : tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  } : (tensor<2x!quant.uniform<i8:f32, 2.0:15>>) -> tensor<2x!quant.uniform<i8:f32, 2.0:15>>
  return
}

// -----

func.func private @open(%x: tensor<?xf32>) -> tensor<?xf32> {
  return %x : tensor<?xf32>
}
func.func @composite_types(%x: tensor<2xf32>) -> tensor<2xf32> {
  // expected-error@below {{'stablehlo.composite' op has types that differ from those of its decomposition @open; only equal ones can be expanded}}
  %0 = stablehlo.composite "my.open" %x {decomposition = @open} : (tensor<2xf32>) -> tensor<2xf32>
  return %0 : tensor<2xf32>
}

// -----

// Rows of other groups could not be masked.
func.func @no_zero(%l: tensor<2x3xf8E8M0FNU>, %r: tensor<2x3xf8E8M0FNU>, %g: tensor<1xi32>) {
  // expected-error@below {{'chlo.ragged_dot' op has element type 'f8E8M0FNU', for which there is no expansion; use stablehlo.convert to f32 on its operands}}
  %0 = "chlo.ragged_dot"(%l, %r, %g) <{ragged_dot_dimension_numbers = #chlo.ragged_dot<lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [1], lhs_ragged_dimensions = [1]>}>
      : (tensor<2x3xf8E8M0FNU>, tensor<2x3xf8E8M0FNU>, tensor<1xi32>) -> tensor<1x2x2xf8E8M0FNU>
  return
}

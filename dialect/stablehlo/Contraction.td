// Dot products and convolutions.
#ifndef SPMD_DIALECT_STABLEHLO_CONTRACTION
#define SPMD_DIALECT_STABLEHLO_CONTRACTION

include "spmd/dialect/stablehlo/Attributes.td"

def Stablehlo_DotGeneralOp : Stablehlo_Op<"dot_general", [Pure]> {
  let arguments = (ins QuantizableTensor:$lhs, QuantizableTensor:$rhs,
                       Stablehlo_DotDimensionNumbers:$dot_dimension_numbers,
                       OptionalAttr<Stablehlo_PrecisionConfig>:$precision_config,
                       OptionalAttr<Stablehlo_DotAlgorithm>:$algorithm);
  let results = (outs QuantizableTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` custom<DotDimensionNumbers>($dot_dimension_numbers) ``
    custom<PrecisionConfigAndAlgorithm>($precision_config, $algorithm) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Stablehlo_ConvolutionOp : Stablehlo_Op<"convolution", [Pure]> {
  let arguments = (ins QuantizableTensor:$lhs, QuantizableTensor:$rhs,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<Stablehlo_I64Table>:$padding,
                       OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
                       OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
                       OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
                       Stablehlo_ConvDimensionNumbers:$dimension_numbers,
                       I64Attr:$feature_group_count, I64Attr:$batch_group_count,
                       OptionalAttr<Stablehlo_PrecisionConfig>:$precision_config);
  let results = (outs QuantizableTensor:$result);
  let assemblyFormat = [{
    `(` operands `)` `dim_numbers` `=` custom<ConvolutionDimensions>($dimension_numbers) `,`
    `window` `=` `{` custom<WindowAttributes>($window_strides, $padding, $lhs_dilation, $rhs_dilation,
                                              $window_reversal) `}`
    attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

// Deprecated: vectors and matrices only, the last dim of one side against the first of the other.
def Stablehlo_DotOp : Stablehlo_Op<"dot", [Pure]> {
  let arguments = (ins QuantizableTensor:$lhs, QuantizableTensor:$rhs,
                       OptionalAttr<Stablehlo_PrecisionConfig>:$precision_config);
  let results = (outs QuantizableTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `` custom<PrecisionConfig>($precision_config) attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

// Deprecated: `config` names the dims of each side by letters, "ab,bc->ac".
def Stablehlo_EinsumOp : Stablehlo_Op<"einsum", [Pure]> {
  let arguments = (ins AnyElementTensor:$lhs, AnyElementTensor:$rhs, StrAttr:$einsum_config);
  let results = (outs AnyElementTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs `,` `config` `=` $einsum_config attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

def Stablehlo_UnaryEinsumOp : Stablehlo_Op<"unary_einsum", [Pure]> {
  let arguments = (ins AnyElementTensor:$operand, StrAttr:$einsum_config);
  let results = (outs AnyElementTensor:$result);
  let assemblyFormat = [{
    $operand `,` `config` `=` $einsum_config attr-dict `:` functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

#endif

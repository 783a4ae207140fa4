// Ops whose sizes are operands: the twins of static ops, and sizes read and set.
#ifndef SPMD_DIALECT_STABLEHLO_DYNAMIC
#define SPMD_DIALECT_STABLEHLO_DYNAMIC

include "spmd/dialect/stablehlo/Attributes.td"

class Stablehlo_DynamicOp<string mnemonic, Type type = AnyElementTensor> : Stablehlo_Op<mnemonic, [Pure]> {
  let results = (outs type:$result);
  let hasVerifier = 1;
}

def Stablehlo_DynamicBroadcastInDimOp : Stablehlo_DynamicOp<"dynamic_broadcast_in_dim", QuantizableTensor> {
  let arguments = (ins QuantizableTensor:$operand, ShapeVector:$output_dimensions,
                       DenseI64ArrayAttr:$broadcast_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$known_expanding_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$known_nonexpanding_dimensions);
  let assemblyFormat = [{
    $operand `,` $output_dimensions `,` `dims` `=` $broadcast_dimensions attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_DynamicConvOp : Stablehlo_DynamicOp<"dynamic_conv", QuantizableTensor> {
  let arguments = (ins QuantizableTensor:$lhs, QuantizableTensor:$rhs, IntTensor:$padding,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<DenseI64ArrayAttr>:$lhs_dilation,
                       OptionalAttr<DenseI64ArrayAttr>:$rhs_dilation,
                       OptionalAttr<DenseBoolArrayAttr>:$window_reversal,
                       Stablehlo_ConvDimensionNumbers:$dimension_numbers,
                       I64Attr:$feature_group_count, I64Attr:$batch_group_count,
                       OptionalAttr<Stablehlo_PrecisionConfig>:$precision_config);
}

def Stablehlo_DynamicIotaOp : Stablehlo_DynamicOp<"dynamic_iota", IntFloatOrComplexTensor> {
  let arguments = (ins ShapeVector:$output_shape, I64Attr:$iota_dimension);
  let assemblyFormat = [{
    $output_shape `,` `dim` `=` $iota_dimension attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_DynamicPadOp : Stablehlo_DynamicOp<"dynamic_pad"> {
  let arguments = (ins AnyElementTensor:$operand, AnyElementTensor:$padding_value,
                       ShapeVector:$edge_padding_low, ShapeVector:$edge_padding_high,
                       ShapeVector:$interior_padding);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_DynamicReshapeOp : Stablehlo_DynamicOp<"dynamic_reshape", QuantizableTensor> {
  let arguments = (ins QuantizableTensor:$operand, ShapeVector:$output_shape);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

// Not in the specification; limits and strides count as those of a slice.
def Stablehlo_RealDynamicSliceOp : Stablehlo_DynamicOp<"real_dynamic_slice"> {
  let arguments = (ins AnyElementTensor:$operand, ShapeVector:$start_indices, ShapeVector:$limit_indices,
                       ShapeVector:$strides);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_GetDimensionSizeOp : Stablehlo_DynamicOp<"get_dimension_size", IndexScalar> {
  let arguments = (ins QuantizableTensor:$operand, I64Attr:$dimension);
  let assemblyFormat = [{
    $operand `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_SetDimensionSizeOp : Stablehlo_DynamicOp<"set_dimension_size"> {
  let arguments = (ins AnyElementTensor:$operand, IndexScalar:$size, I64Attr:$dimension);
  let assemblyFormat = [{
    $operand `,` $size `,` `dim` `=` $dimension attr-dict `:` functional-type(operands, results)
  }];
}

#endif

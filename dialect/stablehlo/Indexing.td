// Ops that read or write at places given by operands.
#ifndef SPMD_DIALECT_STABLEHLO_INDEXING
#define SPMD_DIALECT_STABLEHLO_INDEXING

include "spmd/dialect/stablehlo/Attributes.td"

def Stablehlo_DynamicSliceOp : Stablehlo_Op<"dynamic_slice", [Pure]> {
  let arguments = (ins AnyElementTensor:$operand, Variadic<IntScalar>:$start_indices,
                       DenseI64ArrayAttr:$slice_sizes);
  let results = (outs AnyElementTensor:$result);
  let assemblyFormat = [{
    $operand `,` `` custom<OperandsWithCommas>($start_indices) `sizes` `=` $slice_sizes attr-dict `:`
    functional-type(operands, results)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$operand, "::mlir::ValueRange":$startIndices,
                                 "::llvm::ArrayRef<int64_t>":$sliceSizes)>];
  let hasVerifier = 1;
}

def Stablehlo_DynamicUpdateSliceOp : Stablehlo_Op<"dynamic_update_slice", [Pure]> {
  let arguments = (ins AnyElementTensor:$operand, AnyElementTensor:$update,
                       Variadic<IntScalar>:$start_indices);
  let results = (outs AnyElementTensor:$result);
  let assemblyFormat = "operands attr-dict `:` functional-type(operands, results)";
  let builders = [OpBuilder<(ins "::mlir::Value":$operand, "::mlir::Value":$update,
                                 "::mlir::ValueRange":$startIndices), [{
    build($_builder, $_state, operand.getType(), operand, update, startIndices);
  }]>];
  let hasVerifier = 1;
}

def Stablehlo_GatherOp : Stablehlo_Op<"gather", [Pure]> {
  let arguments = (ins AnyElementTensor:$operand, IntTensor:$start_indices,
                       Stablehlo_GatherDimensionNumbers:$dimension_numbers,
                       DenseI64ArrayAttr:$slice_sizes,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs AnyElementTensor:$result);
  let hasVerifier = 1;
}

def Stablehlo_ScatterOp
    : Stablehlo_Op<"scatter", [SameVariadicOperandSize, RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let arguments = (ins Variadic<AnyElementTensor>:$inputs, IntTensor:$scatter_indices,
                       Variadic<AnyElementTensor>:$updates,
                       Stablehlo_ScatterDimensionNumbers:$scatter_dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$unique_indices);
  let regions = (region AnyRegion:$update_computation);
  let results = (outs Variadic<AnyElementTensor>);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

// A gather whose slice sizes are an operand.
def Stablehlo_DynamicGatherOp : Stablehlo_Op<"dynamic_gather", [Pure]> {
  let arguments = (ins AnyElementTensor:$operand, IntTensor:$start_indices, ShapeVector:$slice_sizes,
                       Stablehlo_GatherDimensionNumbers:$dimension_numbers,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$indices_are_sorted);
  let results = (outs AnyElementTensor:$result);
  let hasVerifier = 1;
}

// Deprecated: a gather of whole slices along one dim.
def Stablehlo_TorchIndexSelectOp : Stablehlo_Op<"torch_index_select", [Pure]> {
  let arguments = (ins AnyElementTensor:$operand, IntTensor:$index, I64Attr:$dim, I64Attr:$batch_dims);
  let results = (outs AnyElementTensor:$result);
  let hasVerifier = 1;
}

#endif

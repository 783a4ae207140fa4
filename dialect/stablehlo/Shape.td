// Ops that rearrange elements: the result's places and sizes come from attributes alone.
#ifndef SPMD_DIALECT_STABLEHLO_SHAPE
#define SPMD_DIALECT_STABLEHLO_SHAPE

include "spmd/dialect/stablehlo/Attributes.td"

class Stablehlo_ShapeOp<string mnemonic, Type type = AnyElementTensor> : Stablehlo_Op<mnemonic, [Pure]> {
  let results = (outs type:$result);
  let hasVerifier = 1;
}

def Stablehlo_BroadcastInDimOp : Stablehlo_ShapeOp<"broadcast_in_dim", QuantizableTensor> {
  let arguments = (ins QuantizableTensor:$operand, DenseI64ArrayAttr:$broadcast_dimensions);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $broadcast_dimensions attr-dict `:` functional-type(operands, results)
  }];
}

def Stablehlo_ReshapeOp : Stablehlo_ShapeOp<"reshape", QuantizableTensor> {
  let arguments = (ins QuantizableTensor:$operand);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
}

def Stablehlo_TransposeOp : Stablehlo_ShapeOp<"transpose", QuantizableTensor> {
  let arguments = (ins QuantizableTensor:$operand, DenseI64ArrayAttr:$permutation);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $permutation attr-dict `:` functional-type(operands, results)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$operand, "::llvm::ArrayRef<int64_t>":$permutation)>];
}

def Stablehlo_ReverseOp : Stablehlo_Op<"reverse", [Pure, Stablehlo_SameType]> {
  let arguments = (ins AnyElementTensor:$operand, DenseI64ArrayAttr:$dimensions);
  let results = (outs AnyElementTensor:$result);
  let assemblyFormat = [{
    $operand `,` `dims` `=` $dimensions attr-dict `:`
    custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
  let hasVerifier = 1;
}

def Stablehlo_SliceOp : Stablehlo_ShapeOp<"slice"> {
  let arguments = (ins AnyElementTensor:$operand, DenseI64ArrayAttr:$start_indices,
                       DenseI64ArrayAttr:$limit_indices, DenseI64ArrayAttr:$strides);
  let assemblyFormat = [{
    $operand custom<SliceRanges>($start_indices, $limit_indices, $strides) attr-dict `:`
    functional-type(operands, results)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$operand, "::llvm::ArrayRef<int64_t>":$start,
                                 "::llvm::ArrayRef<int64_t>":$limit, "::llvm::ArrayRef<int64_t>":$strides)>];
}

def Stablehlo_ConcatenateOp : Stablehlo_ShapeOp<"concatenate"> {
  let arguments = (ins Variadic<AnyElementTensor>:$inputs, I64Attr:$dimension);
  let assemblyFormat = [{
    `` custom<OperandsWithCommas>($inputs) `dim` `=` $dimension attr-dict `:`
    functional-type(operands, results)
  }];
}

def Stablehlo_PadOp : Stablehlo_ShapeOp<"pad"> {
  let arguments = (ins AnyElementTensor:$operand, AnyElementTensor:$padding_value,
                       DenseI64ArrayAttr:$edge_padding_low, DenseI64ArrayAttr:$edge_padding_high,
                       DenseI64ArrayAttr:$interior_padding);
  let assemblyFormat = [{
    $operand `,` $padding_value `,` `low` `=` $edge_padding_low `,` `high` `=` $edge_padding_high `,`
    `interior` `=` $interior_padding attr-dict `:` functional-type(operands, results)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$operand, "::mlir::Value":$paddingValue,
                                 "::llvm::ArrayRef<int64_t>":$low, "::llvm::ArrayRef<int64_t>":$high,
                                 "::llvm::ArrayRef<int64_t>":$interior)>];
}

// Deprecated: new dims come before those of the operand.
def Stablehlo_BroadcastOp : Stablehlo_ShapeOp<"broadcast"> {
  let arguments = (ins AnyElementTensor:$operand, DenseI64ArrayAttr:$broadcast_sizes);
  let assemblyFormat = [{
    $operand `,` `sizes` `=` $broadcast_sizes attr-dict `:` functional-type(operands, results)
  }];
}

#endif

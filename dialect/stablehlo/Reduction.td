// Reductions, sorting: ops whose body combines scalars.
#ifndef SPMD_DIALECT_STABLEHLO_REDUCTION
#define SPMD_DIALECT_STABLEHLO_REDUCTION

include "spmd/dialect/stablehlo/Attributes.td"

class Stablehlo_BodyOp<string mnemonic, list<Trait> traits = []>
    : Stablehlo_Op<mnemonic, !listconcat([RecursiveMemoryEffects, RecursivelySpeculatable], traits)> {
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Stablehlo_ReduceOp : Stablehlo_BodyOp<"reduce", [SameVariadicOperandSize]> {
  let arguments = (ins Variadic<AnyElementTensor>:$inputs, Variadic<AnyElementTensor>:$init_values,
                       DenseI64ArrayAttr:$dimensions);
  let regions = (region AnyRegion:$body);
  let results = (outs Variadic<AnyElementTensor>);
  let hasCustomAssemblyFormat = 1;
}

def Stablehlo_ReduceWindowOp : Stablehlo_BodyOp<"reduce_window", [SameVariadicOperandSize]> {
  let arguments = (ins Variadic<AnyElementTensor>:$inputs, Variadic<AnyElementTensor>:$init_values,
                       DenseI64ArrayAttr:$window_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<DenseI64ArrayAttr>:$base_dilations,
                       OptionalAttr<DenseI64ArrayAttr>:$window_dilations,
                       OptionalAttr<Stablehlo_I64Table>:$padding);
  let regions = (region AnyRegion:$body);
  let results = (outs Variadic<AnyElementTensor>);
}

def Stablehlo_SortOp : Stablehlo_BodyOp<"sort"> {
  let arguments = (ins Variadic<AnyElementTensor>:$inputs,
                       DefaultValuedOptionalAttr<I64Attr, "-1">:$dimension,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_stable);
  let regions = (region AnyRegion:$comparator);
  let results = (outs Variadic<AnyElementTensor>);
}

def Stablehlo_SelectAndScatterOp : Stablehlo_BodyOp<"select_and_scatter"> {
  let arguments = (ins AnyElementTensor:$operand, AnyElementTensor:$source, AnyElementTensor:$init_value,
                       OptionalAttr<DenseI64ArrayAttr>:$window_dimensions,
                       OptionalAttr<DenseI64ArrayAttr>:$window_strides,
                       OptionalAttr<Stablehlo_I64Table>:$padding);
  let regions = (region AnyRegion:$select, AnyRegion:$scatter);
  let results = (outs AnyElementTensor:$result);
}

def Stablehlo_MapOp : Stablehlo_BodyOp<"map"> {
  let arguments = (ins Variadic<AnyElementTensor>:$inputs, DenseI64ArrayAttr:$dimensions);
  let regions = (region AnyRegion:$computation);
  let results = (outs AnyElementTensor:$result);
}

#endif

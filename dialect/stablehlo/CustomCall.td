// Calls of code that the compiler does not know, or knows as a function; tuples.
#ifndef SPMD_DIALECT_STABLEHLO_CUSTOMCALL
#define SPMD_DIALECT_STABLEHLO_CUSTOMCALL

include "mlir/IR/SymbolInterfaces.td"
include "spmd/dialect/stablehlo/Attributes.td"

def Stablehlo_Layouts
    : TypedArrayAttrBase<Attr<CPred<"::spmd::stablehlo::isLayout($_self)">, "1-D tensor of index">,
                         "array of 1-D index tensors">;

def Stablehlo_CustomCallOp
    : Stablehlo_Op<"custom_call", [DeclareOpInterfaceMethods<MemoryEffectsOpInterface>]> {
  let arguments = (ins
    Variadic<CallValue>:$inputs, StrAttr:$call_target_name,
    DefaultValuedOptionalAttr<BoolAttr, "false">:$has_side_effect,
    OptionalAttr<AnyAttrOf<[StrAttr, DictionaryAttr]>>:$backend_config,
    DefaultValuedOptionalAttr<Stablehlo_CustomCallApiVersion,
                              "::spmd::stablehlo::CustomCallApiVersion::ORIGINAL">:$api_version,
    DefaultValuedOptionalAttr<TypedArrayAttrBase<FlatSymbolRefAttr, "array of symbols">, "{}">:$called_computations,
    OptionalAttr<Stablehlo_Layouts>:$operand_layouts, OptionalAttr<Stablehlo_Layouts>:$result_layouts,
    DefaultValuedOptionalAttr<TypedArrayAttrBase<Stablehlo_OutputOperandAlias,
                                                 "array of output_operand_alias">, "{}">:$output_operand_aliases,
    OptionalAttr<ArrayAttr>:$result_tilings);
  let results = (outs Variadic<CallValue>);
  let assemblyFormat = [{
    custom<CustomCallTarget>($call_target_name) `(` $inputs `)` attr-dict `:`
    functional-type(operands, results)
  }];
  let hasVerifier = 1;
}

// An op made of others: `decomposition` is a function that computes the same.
def Stablehlo_CompositeOp : Stablehlo_Op<"composite", [SymbolUserOpInterface]> {
  let arguments = (ins Variadic<CallValue>:$inputs, StrAttr:$name,
                       DefaultValuedOptionalAttr<DictionaryAttr, "{}">:$composite_attributes,
                       FlatSymbolRefAttr:$decomposition,
                       DefaultValuedOptionalAttr<I32Attr, "0">:$version);
  let regions = (region VariadicRegion<AnyRegion>:$composite_regions);
  let results = (outs Variadic<CallValue>);
  let assemblyFormat = [{
    $name $inputs (` ` `(` $composite_regions^ `)`)? attr-dict `:` functional-type(operands, results)
  }];
  let extraClassDeclaration = [{
    ::mlir::LogicalResult verifySymbolUses(::mlir::SymbolTableCollection &symbols);
  }];
  let hasVerifier = 1;
}

//===- Tuples --------------------------------------------------------------------------------------===//

def Stablehlo_TupleOp : Stablehlo_Op<"tuple", [Pure]> {
  let arguments = (ins Variadic<CarriedValue>:$val);
  let results = (outs TupleValue:$result);
  let assemblyFormat = "$val attr-dict `:` custom<TupleTypes>(type($val), type($result))";
  let hasVerifier = 1;
}

def Stablehlo_GetTupleElementOp : Stablehlo_Op<"get_tuple_element", [Pure]> {
  let arguments = (ins TupleValue:$operand, I32Attr:$index);
  let results = (outs CarriedValue:$result);
  let assemblyFormat = "$operand `[` $index `]` attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

#endif

// Calls of code that the compiler does not know.
#ifndef SPMD_DIALECT_STABLEHLO_CUSTOMCALL
#define SPMD_DIALECT_STABLEHLO_CUSTOMCALL

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

#endif

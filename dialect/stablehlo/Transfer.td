// Data that comes in and goes out, tokens that order it, and what runs beside the program.
#ifndef SPMD_DIALECT_STABLEHLO_TRANSFER
#define SPMD_DIALECT_STABLEHLO_TRANSFER

include "spmd/dialect/stablehlo/Attributes.td"

//===- Tokens --------------------------------------------------------------------------------------===//

def Stablehlo_AfterAllOp : Stablehlo_Op<"after_all", [Pure]> {
  let arguments = (ins Variadic<TokenValue>:$inputs);
  let results = (outs TokenValue:$result);
  let assemblyFormat = [{
    $inputs attr-dict `:` custom<TokenTypes>(ref($inputs), type($inputs), type($result))
  }];
}

// Deprecated: an after_all of nothing.
def Stablehlo_CreateTokenOp : Stablehlo_Op<"create_token", [Pure]> {
  let results = (outs TokenValue:$output);
  let assemblyFormat = "attr-dict `:` type($output)";
}

//===- In and out ----------------------------------------------------------------------------------===//

// No effects are declared: none of these may be moved, merged or dropped.
class Stablehlo_TransferOp<string mnemonic> : Stablehlo_Op<mnemonic> {
  let hasVerifier = 1;
}

def Stablehlo_InfeedOp : Stablehlo_TransferOp<"infeed"> {
  let arguments = (ins TokenValue:$token, DefaultValuedOptionalAttr<StrAttr, "\"\"">:$infeed_config,
                       OptionalAttr<ArrayAttr>:$layout);
  let results = (outs Variadic<TensorOrTokenValue>);
}

def Stablehlo_OutfeedOp : Stablehlo_TransferOp<"outfeed"> {
  let arguments = (ins Variadic<QuantizableTensor>:$inputs, TokenValue:$token,
                       DefaultValuedOptionalAttr<StrAttr, "\"\"">:$outfeed_config);
  let results = (outs TokenValue:$result);
}

def Stablehlo_SendOp : Stablehlo_TransferOp<"send"> {
  let arguments = (ins Variadic<QuantizableTensor>:$inputs, TokenValue:$token,
                       Stablehlo_ChannelHandle:$channel_handle,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
                       OptionalAttr<Stablehlo_I64Table>:$source_target_pairs);
  let results = (outs TokenValue:$result);
}

def Stablehlo_RecvOp : Stablehlo_TransferOp<"recv"> {
  let arguments = (ins TokenValue:$token, Stablehlo_ChannelHandle:$channel_handle,
                       DefaultValuedOptionalAttr<BoolAttr, "false">:$is_host_transfer,
                       OptionalAttr<Stablehlo_I64Table>:$source_target_pairs);
  let results = (outs Variadic<TensorOrTokenValue>);
}

//===- Asynchronous ops ----------------------------------------------------------------------------===//

// The body is one op on the operands and a return of its results.
def Stablehlo_AsyncStartOp
    : Stablehlo_Op<"async_start", [IsolatedFromAbove, RecursiveMemoryEffects, Stablehlo_Collective]> {
  let arguments = (ins Variadic<QuantizableTensor>:$operands);
  let regions = (region AnyRegion:$body);
  let results = (outs FutureValue:$result);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Stablehlo_AsyncDoneOp : Stablehlo_Op<"async_done"> {
  let arguments = (ins FutureValue:$future);
  let results = (outs Variadic<QuantizableTensor>);
  let hasVerifier = 1;
}

#endif

// Branches, loops, and what orders or ends them.
#ifndef SPMD_DIALECT_STABLEHLO_CONTROLFLOW
#define SPMD_DIALECT_STABLEHLO_CONTROLFLOW

include "spmd/dialect/stablehlo/Attributes.td"

// Memory that ops write is refused by verifiers: they say what to do instead.
def CarriedOrMutable
    : Type<CPred<"::spmd::stablehlo::isCallValue($_self) && !::llvm::isa<::mlir::UnrankedTensorType>($_self)">,
           "tensor, token, tuple, future or memref">;

def Stablehlo_ReturnOp : Stablehlo_Op<"return", [Pure, Terminator, ReturnLike]> {
  let arguments = (ins Variadic<CarriedOrMutable>:$results);
  let assemblyFormat = "$results attr-dict (`:` type($results)^)?";
}

def Stablehlo_WhileOp
    // Not speculatable: it may run forever.
    : Stablehlo_Op<"while", [RecursiveMemoryEffects,
                             DeclareOpInterfaceMethods<OpAsmOpInterface, ["getAsmBlockArgumentNames"]>]> {
  let arguments = (ins Variadic<CarriedOrMutable>:$operand);
  let regions = (region AnyRegion:$cond, AnyRegion:$body);
  let results = (outs Variadic<CarriedOrMutable>);
  let hasCustomAssemblyFormat = 1;
  let hasRegionVerifier = 1;
}

def Stablehlo_IfOp : Stablehlo_Op<"if", [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let arguments = (ins PredScalar:$pred);
  let regions = (region AnyRegion:$true_branch, AnyRegion:$false_branch);
  let results = (outs Variadic<CarriedOrMutable>);
  let hasRegionVerifier = 1;
}

def Stablehlo_CaseOp : Stablehlo_Op<"case", [RecursiveMemoryEffects, RecursivelySpeculatable]> {
  let arguments = (ins IndexScalar:$index);
  let regions = (region VariadicRegion<AnyRegion>:$branches);
  let results = (outs Variadic<CarriedOrMutable>);
  let hasVerifier = 1;
  let hasRegionVerifier = 1;
}

def Stablehlo_OptimizationBarrierOp : Stablehlo_Op<"optimization_barrier", [Pure]> {
  let arguments = (ins Variadic<CarriedOrMutable>:$operand);
  let results = (outs Variadic<CarriedOrMutable>:$result);
  let assemblyFormat = [{
    attr-dict ($operand^ `:` custom<PairwiseTypes>(type($operand), type($result))):(`(` `)`)?
  }];
  let hasVerifier = 1;
}

#endif

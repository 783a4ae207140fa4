// The dialect and its op.
#ifndef SPMD_DIALECT_INTERPRETER_DIALECT
#define SPMD_DIALECT_INTERPRETER_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Interpreter_Dialect : Dialect {
  let name = "interpreter";
  let cppNamespace = "::spmd::interpreter";
  let summary = "Programs run side by side";
  let description = [{
    What tests of StableHLO programs add to them, so that one function can run others on a grid of processes.
  }];
}

def Interpreter_RunParallelOp : Op<Interpreter_Dialect, "run_parallel", [SymbolUserOpInterface]> {
  let summary = "Runs functions side by side";
  let description = [{
    `programs` is a grid of functions: rows are replicas, columns partitions. The operands are the arguments
    of all functions, row by row, and the results likewise. `infeed` names functions without arguments, whose
    results `stablehlo.infeed` takes one after the other.
  }];
  let arguments = (ins Variadic<AnyType>:$inputs,
                       OptionalAttr<TypedArrayAttrBase<FlatSymbolRefAttr, "array of symbols">>:$infeed,
                       TypedArrayAttrBase<TypedArrayAttrBase<FlatSymbolRefAttr, "array of symbols">,
                                          "array of arrays of symbols">:$programs);
  let results = (outs Variadic<AnyType>);
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    ::mlir::LogicalResult verifySymbolUses(::mlir::SymbolTableCollection &symbols);
  }];
}

#endif

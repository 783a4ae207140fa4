// What programs say to who executes them.
#ifndef SPMD_DIALECT_INTERPRETER_OPS
#define SPMD_DIALECT_INTERPRETER_OPS

include "mlir/IR/OpBase.td"
include "mlir/IR/SymbolInterfaces.td"

def Interpreter_Dialect : Dialect {
  let name = "interpreter";
  let cppNamespace = "::spmd::interpreter";
  let summary = "Ops that only an interpreter executes";
  let description = [{
    Programs that test programs of several devices run them with `run_parallel`. Names and attributes are
    those of StableHLO's own interpreter.
  }];
}

def Interpreter_RunParallelOp
    : Op<Interpreter_Dialect, "run_parallel", [DeclareOpInterfaceMethods<SymbolUserOpInterface>]> {
  let summary = "Runs functions side by side, each on a device of its own";
  let description = [{
    `programs` has a row for each replica and in it a function for each partition. The operands are the
    arguments of all functions, row by row, and the results their results. `infeed` names functions
    without arguments: the first `infeed` op on a device gives the results of the first, and so on.

    ```mlir
    %r:2 = "interpreter.run_parallel"(%a, %b) {programs = [[@f], [@f]]}
        : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$inputs, OptionalAttr<ArrayAttr>:$infeed, ArrayAttr:$programs);
  let results = (outs Variadic<AnyType>:$results);
  let hasVerifier = 1;
}

#endif

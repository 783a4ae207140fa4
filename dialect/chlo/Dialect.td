// The dialect and its op classes.
#ifndef SPMD_DIALECT_CHLO_DIALECT
#define SPMD_DIALECT_CHLO_DIALECT

include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "spmd/dialect/stablehlo/Dialect.td"

def Chlo_Dialect : Dialect {
  let name = "chlo";
  let cppNamespace = "::spmd::chlo";
  let summary = "Composed functions beside StableHLO";
  let description = [{
    Functions that StableHLO has no op for, as far as JAX emits them. Each has an expansion into StableHLO.
  }];
  let dependentDialects = ["::spmd::stablehlo::StablehloDialect"];
}

class Chlo_Op<string mnemonic, list<Trait> traits = []> : Op<Chlo_Dialect, mnemonic, traits>;

#endif

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
    Functions that StableHLO has no op for, in the same text as upstream's printer writes. Each has an
    expansion into StableHLO; `spmd-legalize-chlo` writes it out.
  }];
  let dependentDialects = ["::spmd::stablehlo::StablehloDialect"];
  let useDefaultAttributePrinterParser = 1;
  let extraClassDeclaration = [{ void registerAttributes(); }];
}

class Chlo_Op<string mnemonic, list<Trait> traits = []> : Op<Chlo_Dialect, mnemonic, traits>;

class Chlo_Trait<string name> : NativeOpTrait<name> {
  let cppNamespace = "::spmd::chlo";
}

def Chlo_FloatOrComplexTensor
    : TensorOfKind<"::spmd::stablehlo::Float | ::spmd::stablehlo::Complex", "tensor of floating-point or complex type">;

#endif

// Functions of the elements at one place.
#ifndef SPMD_DIALECT_CHLO_ELEMENTWISE
#define SPMD_DIALECT_CHLO_ELEMENTWISE

include "spmd/dialect/chlo/Dialect.td"

class Chlo_UnaryOp<string mnemonic, Type type> : Chlo_Op<mnemonic, [Pure, Stablehlo_SameType]> {
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand.getType(), operand);
  }]>];
}

def Chlo_SquareOp : Chlo_UnaryOp<"square", IntFloatOrComplexTensor>;

#endif

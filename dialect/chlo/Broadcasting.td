// StableHLO's elementwise ops on operands of different shapes, which are broadcast first.
#ifndef SPMD_DIALECT_CHLO_BROADCASTING
#define SPMD_DIALECT_CHLO_BROADCASTING

include "spmd/dialect/chlo/Attributes.td"

// The result has the broadcast shape of the operands.
def Chlo_Broadcasting : Chlo_Trait<"Broadcasting">;
// Operands and result have one element type (quantization parameters aside).
def Chlo_SameElements : Chlo_Trait<"SameElements">;

class Chlo_BroadcastOp<string mnemonic, Type type = AnyElementTensor, list<Trait> traits = [Chlo_SameElements]>
    : Chlo_Op<"broadcast_" # mnemonic, !listconcat([Pure, Chlo_Broadcasting], traits)> {
  // Where the dims of the operand of smaller rank go; by default they are the last ones.
  let arguments = (ins type:$lhs, type:$rhs, OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($result)";
}

def Chlo_BroadcastAddOp : Chlo_BroadcastOp<"add">;
def Chlo_BroadcastAndOp : Chlo_BroadcastOp<"and", PredOrIntTensor>;
def Chlo_BroadcastAtan2Op : Chlo_BroadcastOp<"atan2", Chlo_FloatOrComplexTensor>;
def Chlo_BroadcastDivOp : Chlo_BroadcastOp<"divide", IntFloatOrComplexTensor>;
def Chlo_BroadcastMaxOp : Chlo_BroadcastOp<"maximum">;
def Chlo_BroadcastMinOp : Chlo_BroadcastOp<"minimum">;
def Chlo_BroadcastMulOp : Chlo_BroadcastOp<"multiply">;
def Chlo_BroadcastNextAfterOp : Chlo_BroadcastOp<"next_after", FloatTensor>;
def Chlo_BroadcastOrOp : Chlo_BroadcastOp<"or", PredOrIntTensor>;
def Chlo_BroadcastPolygammaOp : Chlo_BroadcastOp<"polygamma", FloatTensor>;
def Chlo_BroadcastPowOp : Chlo_BroadcastOp<"power", IntFloatOrComplexTensor>;
def Chlo_BroadcastRemOp : Chlo_BroadcastOp<"remainder", IntFloatOrComplexTensor>;
def Chlo_BroadcastShiftLeftOp : Chlo_BroadcastOp<"shift_left", IntTensor>;
def Chlo_BroadcastShiftRightArithmeticOp : Chlo_BroadcastOp<"shift_right_arithmetic", IntTensor>;
def Chlo_BroadcastShiftRightLogicalOp : Chlo_BroadcastOp<"shift_right_logical", IntTensor>;
def Chlo_BroadcastSubOp : Chlo_BroadcastOp<"subtract", IntFloatOrComplexTensor>;
def Chlo_BroadcastXorOp : Chlo_BroadcastOp<"xor", PredOrIntTensor>;
def Chlo_BroadcastZetaOp : Chlo_BroadcastOp<"zeta", FloatTensor>;

def Chlo_BroadcastComplexOp : Chlo_BroadcastOp<"complex", F32OrF64Tensor, []> {
  let results = (outs ComplexTensor:$result);
  let hasVerifier = 1;
}

def Chlo_BroadcastCompareOp : Chlo_BroadcastOp<"compare", AnyElementTensor, []> {
  let arguments = (ins AnyElementTensor:$lhs, AnyElementTensor:$rhs,
                       OptionalAttr<DenseI64ArrayAttr>:$broadcast_dimensions,
                       Chlo_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<Chlo_ComparisonTypeAttr>:$compare_type);
  let results = (outs PredTensor:$result);
  let hasVerifier = 1;
}

def Chlo_BroadcastSelectOp : Chlo_Op<"broadcast_select", [Pure, Chlo_Broadcasting]> {
  let arguments = (ins PredTensor:$pred, AnyElementTensor:$on_true, AnyElementTensor:$on_false);
  let results = (outs AnyElementTensor:$result);
  let assemblyFormat = [{
    $pred `,` $on_true `,` $on_false attr-dict `:`
    `(` type($pred) `,` type($on_true) `,` type($on_false) `)` `->` type($result)
  }];
  let hasVerifier = 1;
}

#endif

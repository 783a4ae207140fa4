// Ops that compute each element of the result from the elements at the same place.
#ifndef SPMD_DIALECT_STABLEHLO_ELEMENTWISE
#define SPMD_DIALECT_STABLEHLO_ELEMENTWISE

include "spmd/dialect/stablehlo/Attributes.td"

//===- Unary ---------------------------------------------------------------------------------------===//

class Stablehlo_UnaryOp<string mnemonic, Type type, list<Trait> traits = [Stablehlo_SameType]>
    : Stablehlo_Op<mnemonic, !listconcat([Pure], traits)> {
  let arguments = (ins type:$operand);
  let results = (outs AnyElementTensor:$result);
  let assemblyFormat = [{
    $operand attr-dict `:` custom<SameOperandsAndResultType>(type($operand), type($result))
  }];
}
// The result type is the operand's; the builder derives it.
class Stablehlo_SameTypeUnaryOp<string mnemonic, Type type> : Stablehlo_UnaryOp<mnemonic, type> {
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand.getType(), operand);
  }]>];
}
class Stablehlo_AccurateUnaryOp<string mnemonic> : Stablehlo_UnaryOp<mnemonic, FloatOrComplexTensor> {
  let arguments = (ins FloatOrComplexTensor:$operand, Stablehlo_DefaultResultAccuracy:$result_accuracy);
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand.getType(), operand, ResultAccuracyAttr());
  }]>];
}

def Stablehlo_AbsOp : Stablehlo_UnaryOp<"abs", SignedFloatOrComplexTensor, [Stablehlo_SameShape]> {
  let hasVerifier = 1;
}
def Stablehlo_CeilOp : Stablehlo_SameTypeUnaryOp<"ceil", FloatOrQuantTensor>;
def Stablehlo_ConvertOp : Stablehlo_UnaryOp<"convert", AnyElementTensor, [Stablehlo_SameShape]>;
def Stablehlo_ClzOp : Stablehlo_SameTypeUnaryOp<"count_leading_zeros", IntTensor>;
def Stablehlo_FloorOp : Stablehlo_SameTypeUnaryOp<"floor", FloatOrQuantTensor>;
def Stablehlo_ImagOp : Stablehlo_UnaryOp<"imag", FloatOrComplexTensor, [Stablehlo_SameShape]> {
  let hasVerifier = 1;
}
def Stablehlo_IsFiniteOp : Stablehlo_UnaryOp<"is_finite", FloatOrQuantTensor, [Stablehlo_SameShape]> {
  let results = (outs PredTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
}
def Stablehlo_NegOp : Stablehlo_SameTypeUnaryOp<"negate", IntFloatOrComplexTensor>;
def Stablehlo_NotOp : Stablehlo_SameTypeUnaryOp<"not", PredOrIntTensor>;
def Stablehlo_PopulationCountOp : Stablehlo_SameTypeUnaryOp<"popcnt", IntTensor>;
def Stablehlo_RealOp : Stablehlo_UnaryOp<"real", FloatOrComplexTensor, [Stablehlo_SameShape]> {
  let hasVerifier = 1;
}
def Stablehlo_RoundOp : Stablehlo_SameTypeUnaryOp<"round_nearest_afz", FloatOrQuantTensor>;
def Stablehlo_RoundNearestEvenOp : Stablehlo_SameTypeUnaryOp<"round_nearest_even", FloatOrQuantTensor>;
def Stablehlo_SignOp : Stablehlo_SameTypeUnaryOp<"sign", SignedFloatOrComplexTensor>;

def Stablehlo_CbrtOp : Stablehlo_AccurateUnaryOp<"cbrt">;
def Stablehlo_CosineOp : Stablehlo_AccurateUnaryOp<"cosine">;
def Stablehlo_ExpOp : Stablehlo_AccurateUnaryOp<"exponential">;
def Stablehlo_Expm1Op : Stablehlo_AccurateUnaryOp<"exponential_minus_one">;
def Stablehlo_LogOp : Stablehlo_AccurateUnaryOp<"log">;
def Stablehlo_Log1pOp : Stablehlo_AccurateUnaryOp<"log_plus_one">;
def Stablehlo_LogisticOp : Stablehlo_AccurateUnaryOp<"logistic">;
def Stablehlo_RsqrtOp : Stablehlo_AccurateUnaryOp<"rsqrt">;
def Stablehlo_SineOp : Stablehlo_AccurateUnaryOp<"sine">;
def Stablehlo_SqrtOp : Stablehlo_AccurateUnaryOp<"sqrt">;
def Stablehlo_TanOp : Stablehlo_AccurateUnaryOp<"tan">;
def Stablehlo_TanhOp : Stablehlo_AccurateUnaryOp<"tanh">;

def Stablehlo_ReducePrecisionOp
    : Stablehlo_Op<"reduce_precision", [Pure, Stablehlo_SameType]> {
  let arguments = (ins FloatOrQuantTensor:$operand, I32Attr:$exponent_bits, I32Attr:$mantissa_bits);
  let results = (outs FloatOrQuantTensor:$output);
  let assemblyFormat = [{
    $operand `,` `format` `=` custom<ExponentMantissa>($exponent_bits, $mantissa_bits) attr-dict `:`
    custom<SameOperandsAndResultType>(type($operand), type($output))
  }];
  let hasVerifier = 1;
}

def Stablehlo_BitcastConvertOp : Stablehlo_Op<"bitcast_convert", [Pure]> {
  let arguments = (ins QuantizableTensor:$operand);
  let results = (outs QuantizableTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` functional-type(operands, results)";
  let hasVerifier = 1;
}

def Stablehlo_UniformQuantizeOp
    : Stablehlo_UnaryOp<"uniform_quantize", FloatOrQuantizedTensor, [Stablehlo_SameShape]> {
  let results = (outs QuantizedTensor:$result);
  let hasVerifier = 1;
}
def Stablehlo_UniformDequantizeOp
    : Stablehlo_UnaryOp<"uniform_dequantize", QuantizedTensor, [Stablehlo_SameShape]> {
  let results = (outs FloatTensor:$result);
  let hasVerifier = 1;
}

//===- Binary --------------------------------------------------------------------------------------===//

class Stablehlo_BinaryOp<string mnemonic, Type type, list<Trait> traits = []>
    : Stablehlo_Op<mnemonic, !listconcat([Pure, Stablehlo_SameType], traits)> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:`
    custom<SameOperandsAndResultType>(type($lhs), type($rhs), type($result))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs), [{
    build($_builder, $_state, lhs.getType(), lhs, rhs);
  }]>];
}

def Stablehlo_AddOp : Stablehlo_BinaryOp<"add", QuantizableTensor, [Commutative]>;
def Stablehlo_AndOp : Stablehlo_BinaryOp<"and", PredOrIntTensor, [Commutative]>;
def Stablehlo_Atan2Op : Stablehlo_BinaryOp<"atan2", FloatOrComplexTensor>;
def Stablehlo_DivOp : Stablehlo_BinaryOp<"divide", IntFloatOrComplexTensor>;
def Stablehlo_MaxOp : Stablehlo_BinaryOp<"maximum", AnyElementTensor, [Commutative]>;
def Stablehlo_MinOp : Stablehlo_BinaryOp<"minimum", AnyElementTensor, [Commutative]>;
def Stablehlo_MulOp : Stablehlo_BinaryOp<"multiply", AnyElementTensor, [Commutative]>;
def Stablehlo_OrOp : Stablehlo_BinaryOp<"or", PredOrIntTensor, [Commutative]>;
def Stablehlo_PowOp : Stablehlo_BinaryOp<"power", IntFloatOrComplexTensor>;
def Stablehlo_RemOp : Stablehlo_BinaryOp<"remainder", IntFloatOrComplexTensor>;
def Stablehlo_ShiftLeftOp : Stablehlo_BinaryOp<"shift_left", IntTensor>;
def Stablehlo_ShiftRightArithmeticOp : Stablehlo_BinaryOp<"shift_right_arithmetic", IntTensor>;
def Stablehlo_ShiftRightLogicalOp : Stablehlo_BinaryOp<"shift_right_logical", IntTensor>;
def Stablehlo_SubtractOp : Stablehlo_BinaryOp<"subtract", IntFloatOrComplexTensor>;
def Stablehlo_XorOp : Stablehlo_BinaryOp<"xor", PredOrIntTensor, [Commutative]>;

def Stablehlo_ComplexOp : Stablehlo_Op<"complex", [Pure, Stablehlo_SameShape]> {
  let arguments = (ins F32OrF64Tensor:$lhs, F32OrF64Tensor:$rhs);
  let results = (outs ComplexTensor:$result);
  let assemblyFormat = [{
    $lhs `,` $rhs attr-dict `:` custom<ComplexType>(type($lhs), type($rhs), type($result))
  }];
  let hasVerifier = 1;
}

def Stablehlo_CompareOp : Stablehlo_Op<"compare", [Pure, Stablehlo_SameShape]> {
  let arguments = (ins AnyElementTensor:$lhs, AnyElementTensor:$rhs,
                       Stablehlo_ComparisonDirectionAttr:$comparison_direction,
                       OptionalAttr<Stablehlo_ComparisonTypeAttr>:$compare_type);
  let results = (outs PredTensor:$result);
  let assemblyFormat = [{
    custom<EnumName>($comparison_direction) `,` $lhs `,` $rhs `` custom<ComparisonType>($compare_type)
    attr-dict `:`
    functional-type(operands, results)
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs,
                                 "::spmd::stablehlo::ComparisonDirection":$direction)>];
  let hasVerifier = 1;
}

//===- Ternary -------------------------------------------------------------------------------------===//

def Stablehlo_ClampOp : Stablehlo_Op<"clamp", [Pure]> {
  let arguments = (ins AnyElementTensor:$min, AnyElementTensor:$operand, AnyElementTensor:$max);
  let results = (outs AnyElementTensor:$result);
  let assemblyFormat = [{
    $min `,` $operand `,` $max attr-dict `:`
    custom<SameOperandsAndResultType>(type($min), type($operand), type($max), type($result))
  }];
  let hasVerifier = 1;
}

def Stablehlo_SelectOp : Stablehlo_Op<"select", [Pure]> {
  let arguments = (ins PredTensor:$pred, AnyElementTensor:$on_true, AnyElementTensor:$on_false);
  let results = (outs AnyElementTensor:$result);
  let assemblyFormat = [{
    $pred `,` $on_true `,` $on_false attr-dict `:`
    custom<SelectType>(type($pred), type($on_true), type($on_false), type($result))
  }];
  let builders = [OpBuilder<(ins "::mlir::Value":$pred, "::mlir::Value":$onTrue, "::mlir::Value":$onFalse), [{
    build($_builder, $_state, onTrue.getType(), pred, onTrue, onFalse);
  }]>];
  let hasVerifier = 1;
}

#endif

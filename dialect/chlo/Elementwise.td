// Functions of the elements at one place.
#ifndef SPMD_DIALECT_CHLO_ELEMENTWISE
#define SPMD_DIALECT_CHLO_ELEMENTWISE

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "spmd/dialect/chlo/Attributes.td"

//===- Unary ---------------------------------------------------------------------------------------===//

class Chlo_UnaryOp<string mnemonic, Type type> : Chlo_Op<mnemonic, [Pure, Stablehlo_SameType]> {
  let arguments = (ins type:$operand);
  let results = (outs type:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$operand), [{
    build($_builder, $_state, operand.getType(), operand);
  }]>];
}

def Chlo_AcosOp : Chlo_UnaryOp<"acos", Chlo_FloatOrComplexTensor>;
def Chlo_AcoshOp : Chlo_UnaryOp<"acosh", Chlo_FloatOrComplexTensor>;
def Chlo_AsinOp : Chlo_UnaryOp<"asin", Chlo_FloatOrComplexTensor>;
def Chlo_AsinhOp : Chlo_UnaryOp<"asinh", Chlo_FloatOrComplexTensor>;
def Chlo_AtanOp : Chlo_UnaryOp<"atan", Chlo_FloatOrComplexTensor>;
def Chlo_AtanhOp : Chlo_UnaryOp<"atanh", Chlo_FloatOrComplexTensor>;
def Chlo_BesselI1eOp : Chlo_UnaryOp<"bessel_i1e", FloatTensor>;
def Chlo_ConjOp : Chlo_UnaryOp<"conj", Chlo_FloatOrComplexTensor>;
def Chlo_CoshOp : Chlo_UnaryOp<"cosh", Chlo_FloatOrComplexTensor>;
def Chlo_DigammaOp : Chlo_UnaryOp<"digamma", FloatTensor>;
def Chlo_ErfOp : Chlo_UnaryOp<"erf", FloatTensor>;
def Chlo_ErfInvOp : Chlo_UnaryOp<"erf_inv", FloatTensor>;
def Chlo_ErfcOp : Chlo_UnaryOp<"erfc", FloatTensor>;
def Chlo_LgammaOp : Chlo_UnaryOp<"lgamma", FloatTensor>;
def Chlo_SinhOp : Chlo_UnaryOp<"sinh", Chlo_FloatOrComplexTensor>;
def Chlo_SquareOp : Chlo_UnaryOp<"square", IntFloatOrComplexTensor>;
def Chlo_TanOp : Chlo_UnaryOp<"tan", Chlo_FloatOrComplexTensor>;

// What the four inverse functions share: w with
//   asin(z)  = complex(atan2(z.re, w.re), sign(z.im) * w.im)
//   acos(z)  = complex(atan2(w.re, z.re), -sign(z.im) * w.im)
def Chlo_AsinAcosKernelOp : Chlo_UnaryOp<"_asin_acos_kernel", ComplexTensor>;

class Chlo_PredicateOp<string mnemonic> : Chlo_Op<mnemonic, [Pure, Stablehlo_SameShape]> {
  let arguments = (ins FloatTensor:$operand);
  let results = (outs PredTensor:$result);
  let assemblyFormat = "$operand attr-dict `:` type($operand) `->` type($result)";
}

def Chlo_IsInfOp : Chlo_PredicateOp<"is_inf">;
def Chlo_IsNegInfOp : Chlo_PredicateOp<"is_neg_inf">;
def Chlo_IsPosInfOp : Chlo_PredicateOp<"is_pos_inf">;

//===- Binary --------------------------------------------------------------------------------------===//

class Chlo_BinaryOp<string mnemonic, Type type> : Chlo_Op<mnemonic, [Pure, Stablehlo_SameType]> {
  let arguments = (ins type:$lhs, type:$rhs);
  let results = (outs type:$result);
  let assemblyFormat = "$lhs `,` $rhs attr-dict `:` type($lhs) `,` type($rhs) `->` type($result)";
  let builders = [OpBuilder<(ins "::mlir::Value":$lhs, "::mlir::Value":$rhs), [{
    build($_builder, $_state, lhs.getType(), lhs, rhs);
  }]>];
}

// The upper half of the product.
def Chlo_MulhiOp : Chlo_BinaryOp<"mulhi", IntTensor>;
// The representable value beside lhs in the direction of rhs.
def Chlo_NextAfterOp : Chlo_BinaryOp<"next_after", FloatTensor>;
// The derivative of order lhs of digamma at rhs.
def Chlo_PolygammaOp : Chlo_BinaryOp<"polygamma", FloatTensor>;
// Hurwitz: the sum over n of (rhs + n)^-lhs.
def Chlo_ZetaOp : Chlo_BinaryOp<"zeta", FloatTensor>;

//===- Constants -----------------------------------------------------------------------------------===//

def Chlo_ConstantOp : Chlo_Op<"constant", [Pure, ConstantLike, AllTypesMatch<["value", "output"]>]> {
  let arguments = (ins ElementsAttr:$value);
  let results = (outs AnyElementTensor:$output);
  let assemblyFormat = "attr-dict $value";
  let hasFolder = 1;
}

// `value` in the shape of the operand.
def Chlo_ConstantLikeOp : Chlo_Op<"constant_like", [Pure, Stablehlo_SameShape]> {
  let arguments = (ins TypedAttrInterface:$value, AnyElementTensor:$operand);
  let results = (outs AnyElementTensor:$result);
  let hasVerifier = 1;
}

#endif

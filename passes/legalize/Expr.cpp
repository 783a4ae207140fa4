#include "spmd/passes/legalize/Expr.h"

#include "spmd/dialect/stablehlo/Dialect.h"

#include "llvm/ADT/bit.h"

namespace spmd::legalize {

using namespace stablehlo;

//===- Values --------------------------------------------------------------===//

Expr Scope::wrap(mlir::Value value) { return {*this, value}; }

mlir::Value Scope::constant(double number, mlir::RankedTensorType type) {
  mlir::Value &known = constants[{llvm::bit_cast<uint64_t>(number), type.getAsOpaquePointer()}];
  if (known)
    return known;
  mlir::Type element = type.getElementType();
  mlir::DenseElementsAttr splat;
  if (auto floating = llvm::dyn_cast<mlir::FloatType>(element)) {
    llvm::APFloat rounded(number);
    bool losesInfo;
    rounded.convert(floating.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
    splat = mlir::DenseElementsAttr::get(type, rounded);
  } else {
    llvm::APInt integer(element.getIntOrFloatBitWidth(), static_cast<int64_t>(number),
                        /*isSigned=*/true, /*implicitTrunc=*/true);
    splat = mlir::DenseElementsAttr::get(type, integer);
  }
  return known = ConstantOp::create(builder, loc, type, splat);
}

Expr Expr::as(Expr other) const {
  return isNumber() ? Expr(other.scope(), other.scope().constant(number, other.type())) : *this;
}

//===- Ops -----------------------------------------------------------------===//

template <typename Op> static Expr unary(Expr a) {
  Scope &scope = a.scope();
  return {scope, Op::create(scope.builder, scope.loc, a.value())};
}

template <typename Op> static Expr binary(Expr a, Expr b) {
  a = a.as(b);
  b = b.as(a);
  Scope &scope = a.scope();
  return {scope, Op::create(scope.builder, scope.loc, a.value(), b.value())};
}

/// Makes an op whose result has elements of type `to`.
template <typename Op> static Expr retyped(Expr a, mlir::Type to) {
  Scope &scope = a.scope();
  return {scope, Op::create(scope.builder, scope.loc, a.type().clone(to), a.value())};
}

static Expr compare(Expr a, Expr b, ComparisonDirection direction) {
  a = a.as(b);
  b = b.as(a);
  Scope &scope = a.scope();
  return {scope, CompareOp::create(scope.builder, scope.loc, a.value(), b.value(), direction)};
}

Expr operator+(Expr a, Expr b) { return binary<AddOp>(a, b); }
Expr operator-(Expr a, Expr b) { return binary<SubtractOp>(a, b); }
Expr operator*(Expr a, Expr b) { return binary<MulOp>(a, b); }
Expr operator/(Expr a, Expr b) { return binary<DivOp>(a, b); }
Expr operator-(Expr a) { return unary<NegOp>(a); }

Expr operator<(Expr a, Expr b) { return compare(a, b, ComparisonDirection::LT); }
Expr operator<=(Expr a, Expr b) { return compare(a, b, ComparisonDirection::LE); }
Expr operator>(Expr a, Expr b) { return compare(a, b, ComparisonDirection::GT); }
Expr operator>=(Expr a, Expr b) { return compare(a, b, ComparisonDirection::GE); }
Expr operator==(Expr a, Expr b) { return compare(a, b, ComparisonDirection::EQ); }
Expr operator!=(Expr a, Expr b) { return compare(a, b, ComparisonDirection::NE); }
Expr operator&(Expr a, Expr b) { return binary<AndOp>(a, b); }
Expr operator|(Expr a, Expr b) { return binary<OrOp>(a, b); }
Expr operator^(Expr a, Expr b) { return binary<XorOp>(a, b); }
Expr operator!(Expr a) { return unary<NotOp>(a); }

Expr select(Expr condition, Expr a, Expr b) {
  Scope &scope = condition.scope();
  a = a.as(b);
  b = b.as(a);
  return {scope, SelectOp::create(scope.builder, scope.loc, a.type(), condition.value(), a.value(),
                                  b.value())};
}

Expr abs(Expr a) { return retyped<AbsOp>(a, a.elementType()); }
Expr cos(Expr a) { return unary<CosineOp>(a); }
Expr exp(Expr a) { return unary<ExpOp>(a); }
Expr expm1(Expr a) { return unary<Expm1Op>(a); }
Expr floor(Expr a) { return unary<FloorOp>(a); }
Expr isFinite(Expr a) { return retyped<IsFiniteOp>(a, a.scope().builder.getI1Type()); }
Expr log(Expr a) { return unary<LogOp>(a); }
Expr log1p(Expr a) { return unary<Log1pOp>(a); }
Expr roundEven(Expr a) { return unary<RoundNearestEvenOp>(a); }
Expr sign(Expr a) { return unary<SignOp>(a); }
Expr sin(Expr a) { return unary<SineOp>(a); }
Expr sqrt(Expr a) { return unary<SqrtOp>(a); }
Expr tan(Expr a) { return unary<TanOp>(a); }
Expr atan2(Expr y, Expr x) { return binary<Atan2Op>(y, x); }
Expr maximum(Expr a, Expr b) { return binary<MaxOp>(a, b); }
Expr minimum(Expr a, Expr b) { return binary<MinOp>(a, b); }
Expr power(Expr a, Expr b) { return binary<PowOp>(a, b); }
Expr remainder(Expr a, Expr b) { return binary<RemOp>(a, b); }
Expr shiftRightLogical(Expr a, Expr b) { return binary<ShiftRightLogicalOp>(a, b); }
Expr shiftRightArithmetic(Expr a, Expr b) { return binary<ShiftRightArithmeticOp>(a, b); }

static mlir::Type partOf(Expr a) {
  return llvm::cast<mlir::ComplexType>(a.elementType()).getElementType();
}
Expr real(Expr a) { return retyped<RealOp>(a, partOf(a)); }
Expr imag(Expr a) { return retyped<ImagOp>(a, partOf(a)); }

Expr makeComplex(Expr re, Expr im) {
  Scope &scope = re.scope();
  mlir::RankedTensorType type = re.type().clone(mlir::ComplexType::get(re.elementType()));
  return {scope, ComplexOp::create(scope.builder, scope.loc, type, re.value(), im.value())};
}

Expr convert(Expr a, mlir::Type to) {
  return a.elementType() == to ? a : retyped<ConvertOp>(a, to);
}
Expr bitcast(Expr a, mlir::Type to) { return retyped<BitcastConvertOp>(a, to); }

Expr upperHalf(Expr a) {
  Scope &scope = a.scope();
  return {scope, ReducePrecisionOp::create(scope.builder, scope.loc, a.type(), a.value(),
                                           a.isWide() ? 11 : 8, a.isWide() ? 25 : 11)};
}

Expr isNegative(Expr a) {
  unsigned bits = a.elementType().getIntOrFloatBitWidth();
  return bitcast(a, a.scope().builder.getIntegerType(bits)) < 0;
}
Expr signOf(Expr a) { return select(isNegative(a), Expr(-1).as(a), 1); }

//===- Floats --------------------------------------------------------------===//

static const llvm::fltSemantics &semanticsOf(Expr a) {
  return llvm::cast<mlir::FloatType>(a.elementType()).getFloatSemantics();
}
static double toDouble(llvm::APFloat value) {
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &losesInfo);
  return value.convertToDouble();
}
double largest(Expr a) { return toDouble(llvm::APFloat::getLargest(semanticsOf(a))); }
double smallestNormal(Expr a) {
  return toDouble(llvm::APFloat::getSmallestNormalized(semanticsOf(a)));
}
double epsilon(Expr a) {
  return std::ldexp(1.0, 1 - static_cast<int>(llvm::APFloat::semanticsPrecision(semanticsOf(a))));
}

Expr polynomial(Expr t, llvm::ArrayRef<double> coefficients) {
  Expr sum = Expr(coefficients.front()).as(t);
  for (double coefficient : coefficients.drop_front())
    sum = sum * t + coefficient;
  return sum;
}

Expr polynomial(Expr t, const Table &table) {
  return polynomial(t, t.isWide() ? table.wide : table.narrow);
}

} // namespace spmd::legalize

// Formulas over tensors: C++ operators that write elementwise StableHLO ops.
//
//     Expr x = scope.wrap(op.getOperand());
//     Expr tail = exp(-x * x) / (1 + 2 * x);
//     return select(x < 0.5, small, tail).value();
//
// Numbers take the type of what they meet. Constants are made once in each scope. All tensors of a
// formula have one static shape.
#pragma once

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Value.h"

#include <map>
#include <utility>

namespace spmd::legalize {

class Expr;

/// Where the ops of one formula go: before the op that it replaces, with its location.
class Scope {
public:
  explicit Scope(mlir::Operation *replaced) : builder(replaced), loc(replaced->getLoc()) {}

  Expr wrap(mlir::Value value);
  /// Returns a splat of `number` in `type`, whose elements are integers or floats.
  mlir::Value constant(double number, mlir::RankedTensorType type);

  mlir::OpBuilder builder;
  mlir::Location loc;

private:
  std::map<std::pair<uint64_t, const void *>, mlir::Value> constants; ///< By bits of number, type.
};

/// A tensor in a formula, or a number that becomes one.
class Expr {
public:
  Expr(double number) : number(number) {}
  Expr(Scope &scope, mlir::Value value) : owner(&scope), tensor(value) {}

  mlir::Value value() const { return tensor; }
  Scope &scope() const { return *owner; }
  bool isNumber() const { return !tensor; }
  mlir::RankedTensorType type() const {
    return llvm::cast<mlir::RankedTensorType>(tensor.getType());
  }
  mlir::Type elementType() const { return type().getElementType(); }
  /// Returns whether the elements are f64.
  bool isWide() const { return elementType().isF64(); }
  /// Returns this, or the number as a splat of the type of `other`.
  Expr as(Expr other) const;

private:
  Scope *owner = nullptr;
  mlir::Value tensor;
  double number = 0;
};

Expr operator+(Expr a, Expr b);
Expr operator-(Expr a, Expr b);
Expr operator*(Expr a, Expr b);
Expr operator/(Expr a, Expr b);
Expr operator-(Expr a);

/// i1 tensors. NaN compares false, but for `!=`.
Expr operator<(Expr a, Expr b);
Expr operator<=(Expr a, Expr b);
Expr operator>(Expr a, Expr b);
Expr operator>=(Expr a, Expr b);
Expr operator==(Expr a, Expr b);
Expr operator!=(Expr a, Expr b);
/// Bitwise; on i1 the logical ones.
Expr operator&(Expr a, Expr b);
Expr operator|(Expr a, Expr b);
Expr operator^(Expr a, Expr b);
Expr operator!(Expr a);

Expr select(Expr condition, Expr a, Expr b);

Expr abs(Expr a);
Expr cos(Expr a);
Expr exp(Expr a);
Expr expm1(Expr a);
Expr floor(Expr a);
Expr isFinite(Expr a);
Expr log(Expr a);
Expr log1p(Expr a);
Expr roundEven(Expr a);
Expr sign(Expr a);
Expr sin(Expr a);
Expr sqrt(Expr a);
Expr tan(Expr a);
Expr atan2(Expr y, Expr x);
Expr maximum(Expr a, Expr b);
Expr minimum(Expr a, Expr b);
Expr power(Expr a, Expr b);
Expr remainder(Expr a, Expr b);
Expr shiftRightLogical(Expr a, Expr b);
Expr shiftRightArithmetic(Expr a, Expr b);

Expr real(Expr a);
Expr imag(Expr a);
Expr makeComplex(Expr re, Expr im);

/// Returns `a` with elements of type `to`, converted or with the same bits.
Expr convert(Expr a, mlir::Type to);
Expr bitcast(Expr a, mlir::Type to);
/// Returns float `a` with half of its significant bits, so that its square is exact.
Expr upperHalf(Expr a);
/// Returns whether the sign bit of float `a` is set; also of -0.
Expr isNegative(Expr a);
/// Returns 1 or -1, by the sign bit.
Expr signOf(Expr a);

/// The largest finite value, the smallest normal one, and the distance from 1 to the next, of the
/// elements of `a`.
double largest(Expr a);
double smallestNormal(Expr a);
double epsilon(Expr a);

/// The coefficients of a polynomial, highest power first, for f32 and for f64.
struct Table {
  llvm::ArrayRef<double> narrow, wide;
};

/// Returns the polynomial at `t`, by Horner's scheme.
Expr polynomial(Expr t, llvm::ArrayRef<double> coefficients);
Expr polynomial(Expr t, const Table &table);

} // namespace spmd::legalize

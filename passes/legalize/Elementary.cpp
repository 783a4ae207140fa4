// Hyperbolic functions, inverse trigonometric ones of reals, and functions of bits.

#include "spmd/passes/legalize/Functions.h"

#include <cmath>
#include <limits>

namespace spmd::legalize {

static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
static const double log2 = std::log(2.0);

//===- Hyperbolic functions ------------------------------------------------===//

// Halved in the exponent, so that nothing overflows but the result.
Expr cosh(Expr x) { return exp(x - log2) + exp(-log2 - x); }

Expr sinh(Expr x) {
  Expr large = exp(x - log2) - exp(-log2 - x);
  // Near 0 the difference would cancel.
  Expr e = expm1(x);
  Expr small = 0.5 * (e + e / (e + 1));
  return select(abs(x) < 1, small, large);
}

/// Returns `a * b`, and 0 on the axes, where one factor may be infinite.
static Expr productOffAxes(Expr a, Expr b, Expr isOnAxis) { return select(isOnAxis, 0, a * b); }

Expr coshComplex(Expr z) {
  Expr x = real(z), y = imag(z);
  return makeComplex(cosh(x) * cos(y), productOffAxes(sinh(x), sin(y), (x == 0) | (y == 0)));
}

Expr sinhComplex(Expr z) {
  Expr x = real(z), y = imag(z);
  return makeComplex(sinh(x) * cos(y), select(y == 0, y, cosh(x) * sin(y)));
}

/// The real part as a product: of a difference of squares the digits would cancel.
Expr squareComplex(Expr z) {
  Expr x = real(z), y = imag(z);
  Expr isDiagonal = (abs(x) == abs(y)) & isFinite(x);
  return makeComplex(select(isDiagonal, 0, (x - y) * (x + y)), 2 * (x * y));
}

//===- Inverse functions of reals ------------------------------------------===//

static Expr cosineOfAsin(Expr x) { return sqrt((1 - x) * (1 + x)); }

Expr asinReal(Expr x) { return atan2(x, cosineOfAsin(x)); }
Expr acosReal(Expr x) { return atan2(cosineOfAsin(x), x); }
Expr atanReal(Expr x) { return atan2(x, 1); }
Expr atanhReal(Expr x) { return 0.5 * (log1p(x) - log1p(-x)); }

/// Beyond this, x and sqrt(x * x + 1) are one number.
static double farAway(Expr x) { return 4 / epsilon(x); }

Expr acoshReal(Expr x) {
  Expr y = x - 1;
  Expr near = log1p(y + sqrt(y * (y + 2)));
  Expr value = select(x < farAway(x), near, log(x) + log2);
  return select(x < 1, nan, value);
}

Expr asinhReal(Expr x) {
  Expr a = abs(x), square = a * a;
  Expr near = log1p(a + square / (1 + sqrt(square + 1)));
  return signOf(x) * select(a < farAway(x), near, log(a) + log2);
}

//===- Functions of bits ---------------------------------------------------===//

/// Returns an integer in the order of the numbers; 0 for both zeros.
static Expr orderOf(Expr bits, double signBit) {
  Expr magnitude = bits ^ (bits & signBit);
  return select(bits < 0, 0 - magnitude, magnitude);
}

/// Whether the bits of -0 are NaN in `type`.
static bool hasOneZero(mlir::Type type) {
  return llvm::isa<mlir::Float8E4M3FNUZType, mlir::Float8E5M2FNUZType, mlir::Float8E4M3B11FNUZType>(
      type);
}

/// Of a format without a sign, whose bits count up with its numbers.
static Expr nextAfterUnsigned(Expr x, Expr y) {
  mlir::Type bits = x.scope().builder.getIntegerType(8, /*isSigned=*/false);
  Expr xBits = bitcast(x, bits), yBits = bitcast(y, bits);
  Expr beside = select(xBits < yBits, xBits + 1, xBits - 1);
  Expr value = bitcast(select(xBits == yBits, yBits, beside), x.elementType());
  return select((x != x) | (y != y), nan, value);
}

// On integers throughout: what is beside a denormal depends on which one it is, and comparisons of
// floats may take all of them for zero. It lies between `x` and `y`, so that no bits of an infinity
// or NaN are counted up to in formats that lack them.
Expr nextAfter(Expr x, Expr y) {
  auto type = llvm::cast<mlir::FloatType>(x.elementType());
  if (llvm::isa<mlir::Float8E8M0FNUType>(type))
    return nextAfterUnsigned(x, y);
  mlir::Type bits = x.scope().builder.getIntegerType(type.getWidth());
  Expr xBits = bitcast(x, bits), yBits = bitcast(y, bits);
  double signBit = -std::ldexp(1.0, bits.getIntOrFloatBitWidth() - 1);
  Expr xOrder = orderOf(xBits, signBit), yOrder = orderOf(yBits, signBit);
  // Away from 0 the bits count up, whatever the sign.
  Expr isOutward = (xOrder < yOrder) ^ (xBits < 0);
  Expr beside = xBits + select(isOutward, Expr(1).as(xBits), -1);
  if (hasOneZero(type))
    beside = select(beside == signBit, 0, beside);
  Expr besideZero = (yBits & signBit) | 1;
  Expr moved = bitcast(select(xOrder == 0, besideZero, beside), type);
  Expr value = select(xOrder == yOrder, y, moved);
  if (!llvm::APFloatBase::semanticsHasNaN(type.getFloatSemantics()))
    return value;
  return select((x != x) | (y != y), nan, value);
}

/// The products of the 32-bit halves, added with their carries; a negative factor counts 2^64 too
/// much, which takes the other one off the upper half.
static Expr mulhi64(Expr a, Expr b, bool isSigned) {
  const double mask = 4294967295.0;
  auto low = [&](Expr x) { return x & mask; };
  auto high = [&](Expr x) { return shiftRightLogical(x, 32); };
  Expr lowHigh = low(a) * high(b), highLow = high(a) * low(b);
  Expr middle = high(low(a) * low(b)) + low(lowHigh) + low(highLow);
  Expr value = high(a) * high(b) + high(lowHigh) + high(highLow) + high(middle);
  if (!isSigned)
    return value;
  return value - select(a < 0, b, 0) - select(b < 0, a, 0);
}

Expr mulhi(Expr a, Expr b) {
  auto type = llvm::cast<mlir::IntegerType>(a.elementType());
  bool isSigned = !type.isUnsigned();
  unsigned width = type.getWidth();
  if (width == 64)
    return mulhi64(a, b, isSigned);
  auto wide =
      mlir::IntegerType::get(type.getContext(), std::max(8u, 2 * width), type.getSignedness());
  Expr product = convert(a, wide) * convert(b, wide);
  Expr upper = isSigned ? shiftRightArithmetic(product, width) : shiftRightLogical(product, width);
  return convert(upper, type);
}

} // namespace spmd::legalize

// erf, erfc, and the inverse of erf.

#include "spmd/passes/legalize/Functions.h"
#include "spmd/passes/legalize/Tables.h"

#include <cmath>
#include <limits>

namespace spmd::legalize {

static const double pi = std::acos(-1.0);

/// erf on [-1, 1]: x times a polynomial in x^2.
static Expr erfNearZero(Expr x) {
  return x * polynomial(2 * minimum(x * x, 1) - 1, tables::erfNearZero);
}

/// Returns erfc of x >= 1/2, after M. M. Shepherd, J. G. Laframboise: Chebyshev approximation of
/// (1 + 2x) exp(x^2) erfc(x) in 0 <= x < infinity, Math. Comp. 36 (1981), with a table of our own.
static Expr erfcTail(Expr x) {
  x = minimum(x, 30); // All floats are 0 from here; infinity minus itself would not be.
  // exp(-x^2) from the exact square of half of the digits: rounding x^2 would show in the result.
  Expr upper = upperHalf(x), lower = x - upper;
  Expr bell = exp(-(upper * upper)) * exp(-(lower * (x + upper)));
  Expr t = 1 - 8.5 / (x + 3.75); // [1/2, infinity) to [-1, 1)
  return bell * polynomial(t, tables::erfcTail) / (1 + 2 * x);
}

Expr erf(Expr x) {
  Expr a = abs(x);
  return select(a < 1, erfNearZero(x), sign(x) * (1 - erfcTail(a)));
}

Expr erfc(Expr x) {
  Expr a = abs(x), tail = erfcTail(a);
  return select(a < 0.5, 1 - erfNearZero(x), select(x < 0, 2 - tail, tail));
}

/// Returns the polynomial of `table` at `x`, which it fits on [low, high].
static Expr fitted(Expr x, double low, double high, llvm::ArrayRef<double> table) {
  return polynomial((x - (low + high) / 2) * (2 / (high - low)), table);
}

/// M. Giles: Approximating the erfinv function, GPU Computing Gems (2011): erfinv(x) / x is smooth
/// in w = -log(1 - x^2), for large w in its root. The tables are our own.
Expr erfInv(Expr x) {
  Expr w = -log((1 - x) * (1 + x));
  Expr root = sqrt(maximum(w, 0));
  Expr ratio = x.isWide() ? select(root < 4, fitted(root, 2.5, 4, tables::erfInvTail.wide),
                                   fitted(root, 4, 6.1, tables::erfInvFar))
                          : fitted(root, std::sqrt(5.0), 4.1, tables::erfInvTail.narrow);
  double middle = x.isWide() ? 6.25 : 5;
  Expr slope = fitted(w, 0, middle,
                      x.isWide() ? tables::erfInvNearZero.wide : tables::erfInvNearZero.narrow);
  ratio = select(w < middle, std::sqrt(pi) / 2 + w * slope, ratio);
  return x * select(abs(x) == 1, std::numeric_limits<double>::infinity(), ratio);
}

} // namespace spmd::legalize

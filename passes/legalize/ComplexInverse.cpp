// The inverse trigonometric and hyperbolic functions of complex numbers.
//
// Both parts come out right to a few units, also near the branch points and at the ends of the
// exponent range, where the textbook formulas cancel or overflow.

#include "spmd/passes/legalize/Functions.h"

#include <cmath>

namespace spmd::legalize {

static const double log2 = std::log(2.0);
static const double pi = std::acos(-1.0);

/// Beyond this, squares overflow, and 1 does not count beside the number.
static double farAway(Expr x) { return std::sqrt(largest(x)) / 8; }

/// Returns sqrt(a * a + b * b) of numbers that are not negative, without overflow.
static Expr hypotenuse(Expr a, Expr b) {
  Expr longer = maximum(a, b), ratio = minimum(a, b) / longer;
  Expr length = select(a == b, std::sqrt(2.0) * longer, longer * sqrt(1 + ratio * ratio));
  return select(longer == 0, 0, length);
}

namespace {
/// w of the kernel: asin(x + iy) = atan2(x, re) +- i im, acos(x + iy) = atan2(re, x) -+ i im.
struct Kernel {
  Expr re, im;
};
} // namespace

/// T. E. Hull, T. F. Fairgrieve, P. T. P. Tang: Implementing the complex arcsine and arccosine
/// functions using exception handling, ACM TOMS 23 (1997). With r and s the distances of |z| from
/// -1 and 1 and a their mean, re = sqrt(a^2 - x^2) and im = log(a + sqrt(a^2 - 1)); a - x and a - 1
/// are computed without cancellation.
static Kernel kernelOf(Expr z) {
  Expr x = abs(real(z)), y = abs(imag(z));
  Expr isInside = x < 1, gap = abs(x - 1);
  Expr r = hypotenuse(x + 1, y), s = hypotenuse(gap, y);
  Expr a = 0.5 * (r + s);
  Expr rExcess = y * (y / (r + (x + 1)));                       // r - (x + 1)
  Expr sSum = s + gap;                                          // s + |x - 1|
  Expr sExcess = select(y == 0, Expr(0).as(y), y * (y / sSum)); // s - |x - 1|
  Expr aMinusX = 0.5 * (rExcess + select(isInside, sSum, sExcess));
  Expr aMinus1 = 0.5 * (rExcess + select(isInside, sExcess, sSum));
  Expr re = sqrt(aMinusX) * sqrt(a + x);
  Expr im = log1p(aMinus1 + sqrt(aMinus1 * (aMinus1 + 2)));
  // So near the real axis, squares of y may underflow; the first term of the series in y is exact.
  Expr isFlat = y < gap * epsilon(x);
  im = select(isInside & isFlat, y / sqrt((1 - x) * (1 + x)), im);
  re = select(!isInside & isFlat, y * (x / sqrt((x - 1) * (x + 1))), re);
  // So far out, a is |z|.
  Expr longer = maximum(x, y), shorter = minimum(x, y);
  Expr ratio = select(isFinite(longer), shorter / longer, 0);
  Expr isFar = longer > farAway(x);
  im = select(isFar, log2 + log(longer) + 0.5 * log1p(ratio * ratio), im);
  re = select(isFar, y, re);
  return {re, im};
}

Expr asinAcosKernel(Expr z) {
  Kernel w = kernelOf(z);
  return makeComplex(w.re, w.im);
}

Expr asinComplex(Expr z) {
  Kernel w = kernelOf(z);
  return makeComplex(atan2(real(z), w.re), signOf(imag(z)) * w.im);
}

Expr acosComplex(Expr z) {
  Kernel w = kernelOf(z);
  return makeComplex(atan2(w.re, real(z)), -signOf(imag(z)) * w.im);
}

Expr acoshComplex(Expr z) {
  Kernel w = kernelOf(z);
  return makeComplex(w.im, signOf(imag(z)) * atan2(w.re, real(z)));
}

static Expr timesI(Expr z) { return makeComplex(-imag(z), real(z)); }
static Expr timesMinusI(Expr z) { return makeComplex(imag(z), -real(z)); }

Expr asinhComplex(Expr z) { return timesMinusI(asinComplex(timesI(z))); }
Expr atanComplex(Expr z) { return timesMinusI(atanhComplex(timesI(z))); }

/// re = log1p(4x / ((1 - x)^2 + y^2)) / 4 and im = arg(1 - z^2 + 2iy) / 2, after W. Kahan: Branch
/// cuts for complex elementary functions (1987).
Expr atanhComplex(Expr z) {
  Expr x = abs(real(z)), y = abs(imag(z)), gap = 1 - x;
  Expr re = 0.25 * log1p(4 * x / (gap * gap + y * y));
  // Beside 1, y * y underflows before the logarithm is near its limit.
  Expr isBesideOne = (gap == 0) & (y < 8 * std::sqrt(smallestNormal(y)));
  re = select(isBesideOne, 0.5 * (log2 - log(y)), re);
  // Far out, it is x / |z|^2.
  Expr longer = maximum(x, y);
  Expr ratio = select(isFinite(longer), minimum(x, y) / longer, 0);
  Expr unit = select(x >= y, Expr(1).as(x), ratio);
  Expr isFar = longer > farAway(x);
  Expr far = select(isFinite(longer), unit / (1 + ratio * ratio) / longer, 0);
  re = select(isFar, far, re);
  Expr im = 0.5 * atan2(2 * imag(z), gap * (1 + x) - y * y);
  im = select(isFar, signOf(imag(z)) * (pi / 2), im);
  return makeComplex(signOf(real(z)) * re, im);
}

} // namespace spmd::legalize

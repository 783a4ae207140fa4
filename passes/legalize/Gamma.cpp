// The logarithm of gamma, its derivatives, and the Hurwitz zeta function.

#include "spmd/passes/legalize/Functions.h"
#include "spmd/passes/legalize/Tables.h"

#include <cmath>
#include <limits>

namespace spmd::legalize {

static constexpr double infinity = std::numeric_limits<double>::infinity();
static constexpr double nan = std::numeric_limits<double>::quiet_NaN();
static const double pi = std::acos(-1.0);

/// From here on, Stirling's series is exact enough.
static constexpr int farAway = 8;

/// Maps 1 / x^2 of x >= farAway to [-1, 1], as the tables want it.
static Expr seriesVariable(Expr inverseSquare) { return 2 * farAway * farAway * inverseSquare - 1; }

//===- gamma ---------------------------------------------------------------===//

namespace {
/// Of x in [1/2, farAway): gamma(x) = exp(rest) * product, or exp(rest) / x where x < 3/2.
struct NearGamma {
  Expr isLow, rest, product;
};
} // namespace

/// Brings x to within 1/2 of 2 by gamma(x) = (x - 1) gamma(x - 1). There the logarithm is a
/// polynomial times its zeros at 1 and 2, so that it keeps its digits beside them.
static NearGamma nearGamma(Expr x) {
  Expr y = x, product = Expr(1).as(x);
  for (int step = 2; step < farAway; ++step) {
    Expr isLarge = y >= 2.5;
    y = select(isLarge, y - 1, y);
    product = select(isLarge, product * y, product);
  }
  Expr isLow = x < 1.5;
  Expr beyond2 = select(isLow, x - 1, y - 2);
  Expr rest = beyond2 * (beyond2 + 1) * polynomial(2 * beyond2, tables::logGammaNear2);
  return {isLow, rest, product};
}

/// The logarithm of gamma(x) for x >= farAway, by Stirling's series.
static Expr logGammaFar(Expr x) {
  x = maximum(x, farAway);
  Expr series = polynomial(seriesVariable(1 / (x * x)), tables::stirling) / x;
  return (x - 0.5) * (log(x) - 1) + (series + (0.5 * std::log(2 * pi) - 0.5));
}

/// The logarithm of gamma(x) for x >= 1/2.
static Expr logGammaRight(Expr x) {
  NearGamma near = nearGamma(x);
  Expr logarithm = log(select(near.isLow, x, near.product));
  Expr nearValue = near.rest + select(near.isLow, -logarithm, logarithm);
  return select(x < farAway, nearValue, logGammaFar(x));
}

/// gamma(x) for x >= 1/2; exact at integers below farAway.
static Expr gammaRight(Expr x) {
  NearGamma near = nearGamma(x);
  Expr nearValue = exp(near.rest) * select(near.isLow, 1 / x, near.product);
  return select(x < farAway, nearValue, exp(logGammaFar(x)));
}

/// On the left by reflection: |gamma(x)| gamma(1 - x) = pi / |sin(pi x)|.
Expr lgamma(Expr x) {
  Expr isLeft = x < 0.5;
  Expr right = logGammaRight(select(isLeft, 1 - x, x));
  Expr a = abs(x), fraction = a - floor(a);
  fraction = minimum(fraction, 1 - fraction);
  Expr left = std::log(pi) - log(sin(pi * fraction)) - right;
  // Numbers so large that this overflows are whole: poles, on the left.
  return select((a == infinity) | (right == infinity), infinity, select(isLeft, left, right));
}

//===- digamma -------------------------------------------------------------===//

/// psi(x) = psi(x + 1) - 1 / x until x is far out; on the left by reflection, psi(x) = psi(1 - x) -
/// pi / tan(pi x). See M. Abramowitz, I. A. Stegun, 6.3.
Expr digamma(Expr x) {
  Expr isLeft = x < 0.5;
  Expr y = select(isLeft, 1 - x, x), inverses = Expr(0).as(x);
  for (int step = 0; step < farAway; ++step) {
    Expr isSmall = y < farAway;
    inverses = select(isSmall, inverses + 1 / y, inverses);
    y = select(isSmall, y + 1, y);
  }
  Expr inverseSquare = 1 / (y * y);
  Expr series = inverseSquare * polynomial(seriesVariable(inverseSquare), tables::digammaFar);
  Expr right = log(y) - 0.5 / y - series - inverses;
  Expr left = right - pi / tan(pi * (x - roundEven(x)));
  Expr isPole = (x <= 0) & (x == floor(x));
  return select(isPole, nan, select(isLeft, left, right));
}

//===- zeta ----------------------------------------------------------------===//

/// Of q > 0: the first terms, then the Euler-Maclaurin formula for the others: their integral, half
/// of the first one, and the Bernoulli numbers. See Abramowitz and Stegun, 23.1.30 and 23.2.
static Expr zetaRight(Expr x, Expr q) {
  // Bernoulli number 2k over (2k)!.
  static const double bernoulli[] = {
      0.08333333333333333,    -0.001388888888888889,   3.3068783068783064e-05,
      -8.267195767195768e-07, 2.08767569878681e-08,    -5.284190138687493e-10,
      1.338253653068468e-11,  -3.3896802963225827e-13, 8.586062056277845e-15,
      -2.174868698558062e-16, 5.5090028283602295e-18,  -1.3954464685812525e-19};
  constexpr int numTerms = 10;
  Expr sum = power(q, -x), base = q, term = sum;
  for (int n = 0; n < numTerms; ++n) {
    base = base + 1;
    term = power(base, -x);
    sum = sum + term;
  }
  sum = sum + term * base / (x - 1) - 0.5 * term;
  Expr product = term * x / base, inverseSquare = 1 / (base * base);
  Expr rest = product * bernoulli[0];
  for (int k = 1; k < static_cast<int>(std::size(bernoulli)); ++k) {
    product = product * ((x + (2 * k - 1)) * (x + 2 * k) * inverseSquare);
    rest = rest + product * bernoulli[k];
  }
  return sum + select(term == 0, 0, rest);
}

/// Left of 0, a power has a value only if its order is whole. There the terms of q = f - m up to f
/// - 1 are, sign apart, those of 1 - f up to m - f, which is the difference of two sums on the
/// right.
Expr zeta(Expr x, Expr q) {
  Expr isLeft = q < 0, fraction = q - floor(q);
  Expr value = zetaRight(x, select(isLeft, fraction, q));
  Expr mirrored = zetaRight(x, 1 - fraction) - zetaRight(x, select(isLeft, 1 - q, 1));
  Expr isEven = remainder(x, 2) == 0;
  value = select(isLeft, value + select(isEven, mirrored, -mirrored), value);
  value = select(isLeft & (x != floor(x)), nan, value);
  Expr isPole = (q <= 0) & (q == floor(q));
  value = select(isPole, select(isEven, Expr(infinity).as(x), nan), value);
  value = select(x == 1, infinity, value);
  return select(x < 1, nan, value);
}

/// (-1)^(n + 1) n! zeta(n + 1, x), Abramowitz and Stegun 6.4.10.
Expr polygamma(Expr n, Expr x) {
  Expr order = n + 1;
  Expr magnitude = gammaRight(order) * zeta(order, x);
  Expr value = select(remainder(n, 2) == 0, -magnitude, magnitude);
  value = select(n == 0, digamma(x), value);
  return select((n != floor(n)) | (n < 0), nan, value);
}

} // namespace spmd::legalize

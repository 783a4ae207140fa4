// The exponentially scaled modified Bessel function of order 1.

#include "spmd/passes/legalize/Functions.h"
#include "spmd/passes/legalize/Tables.h"

namespace spmd::legalize {

/// exp(-|x|) I1(x), split at 8 as usual (C. W. Clenshaw: Chebyshev series for mathematical
/// functions, NPL Mathematical Tables 5, 1962), with tables of our own: x times a polynomial in |x|
/// below, a polynomial in 1 / |x| over the root above.
Expr besselI1e(Expr x) {
  Expr a = abs(x);
  Expr near = x * polynomial(minimum(a, 8) * 0.25 - 1, tables::besselI1Near);
  Expr large = maximum(a, 8);
  Expr far = sign(x) * (polynomial(16 / large - 1, tables::besselI1Far) / sqrt(large));
  return select(a <= 8, near, far);
}

} // namespace spmd::legalize

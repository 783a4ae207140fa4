// The functions of `chlo`, written in StableHLO. Operands are f32 or f64, or complex of them where
// the name says so; narrower floats are computed as f32.
//
// Accuracy in units in the last place is that of the best public implementations: a few units where
// the function is well-conditioned. Values at the edges are those of IEEE 754 and C.
#pragma once

#include "spmd/passes/legalize/Expr.h"

namespace spmd::legalize {

// Elementary.cpp
Expr acosReal(Expr x);
Expr acoshReal(Expr x);
Expr asinReal(Expr x);
Expr asinhReal(Expr x);
Expr atanReal(Expr x);
Expr atanhReal(Expr x);
Expr cosh(Expr x);
Expr sinh(Expr x);
Expr coshComplex(Expr z);
Expr sinhComplex(Expr z);
Expr squareComplex(Expr z);
/// Returns the value beside `x` in the direction of `y`. Of any float with infinities whose bits
/// are ordered like its values.
Expr nextAfter(Expr x, Expr y);
/// Returns the upper half of the product of integers.
Expr mulhi(Expr a, Expr b);

// ComplexInverse.cpp
Expr acosComplex(Expr z);
Expr acoshComplex(Expr z);
Expr asinComplex(Expr z);
Expr asinhComplex(Expr z);
Expr atanComplex(Expr z);
Expr atanhComplex(Expr z);
/// Returns what `chlo._asin_acos_kernel` does.
Expr asinAcosKernel(Expr z);

// ErrorFunctions.cpp
Expr erf(Expr x);
Expr erfc(Expr x);
Expr erfInv(Expr x);

// Gamma.cpp
Expr lgamma(Expr x);
Expr digamma(Expr x);
Expr zeta(Expr x, Expr q);
Expr polygamma(Expr n, Expr x);

// Bessel.cpp
Expr besselI1e(Expr x);

} // namespace spmd::legalize

// Coefficients of polynomials, made by fit_tables.py. All are in a variable that runs over [-1, 1].
#pragma once

#include "spmd/passes/legalize/Expr.h"

namespace spmd::legalize::tables {

extern const Table erfNearZero; ///< erf(x) / x, by x^2 on [0, 1]
extern const Table erfcTail;    ///< (1 + 2x) exp(x^2) erfc(x), by 1 - 8.5 / (x + 3.75)
extern const Table
    erfInvNearZero;            ///< (erfinv(x) / x - sqrt(pi) / 2) / w, by w on [0, 5] or [0, 6.25]
extern const Table erfInvTail; ///< erfinv(x) / x, by sqrt(w) on [sqrt(5), 4.1] or [2.5, 4]
extern const llvm::ArrayRef<double> erfInvFar; ///< the same, for f64 only, on [4, 6.1]
extern const Table logGammaNear2;              ///< lgamma(2 + d) / (d (d + 1)), by d on [-1/2, 1/2]
extern const Table stirling;   ///< x times the rest of Stirling's formula, by 1 / x^2 on [0, 1/64]
extern const Table digammaFar; ///< x^2 (log(x) - 1 / (2x) - digamma(x)), by 1 / x^2 on [0, 1/64]
extern const Table besselI1Near; ///< exp(-x) I1(x) / x, by x on [0, 8]
extern const Table besselI1Far;  ///< exp(-x) I1(x) sqrt(x), by 1 / x on [0, 1/8]

} // namespace spmd::legalize::tables

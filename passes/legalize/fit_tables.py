#!/usr/bin/env python3
"""Writes Tables.cpp: coefficients of polynomials that the functions of `chlo` are computed with.

Each is the Chebyshev interpolant of a smooth function, worked out with 50 digits by mpmath, cut where what is left is
below an eighth of the unit in the last place, and written as a polynomial in t on [-1, 1], highest power first.

    python3 fit_tables.py > Tables.cpp
"""

import mpmath as mp

mp.mp.dps = 50
NODES = 48
TOLERANCE = {"narrow": mp.mpf(2) ** -27, "wide": mp.mpf(2) ** -57}
NEARLY_ZERO = mp.mpf(2) ** -60


def chebyshev(function, low, high):
    """Returns the Chebyshev coefficients of `function` on [low, high], and its least magnitude there."""
    angles = [mp.pi * (k + mp.mpf(1) / 2) / NODES for k in range(NODES)]
    values = [function((low + high) / 2 + (high - low) / 2 * mp.cos(angle)) for angle in angles]
    sums = [mp.fsum(v * mp.cos(j * a) for v, a in zip(values, angles)) for j in range(NODES)]
    return [2 * s / NODES if j else s / NODES for j, s in enumerate(sums)], min(map(abs, values))


def powers(coefficients):
    """Returns the coefficients of the same polynomial in powers of t, lowest first."""
    result = [mp.mpf(0)] * len(coefficients)
    before, current = [], [mp.mpf(1)]
    for j, coefficient in enumerate(coefficients):
        for i, c in enumerate(current):
            result[i] += coefficient * c
        doubled = [mp.mpf(0)] + [(2 if j else 1) * c for c in current]
        for i, c in enumerate(before):
            doubled[i] -= c
        before, current = current, doubled
    return result


def fit(function, low, high, tolerance):
    coefficients, least = chebyshev(function, mp.mpf(low), mp.mpf(high))
    rest = mp.mpf(0)
    while len(coefficients) > 1 and rest + abs(coefficients[-1]) < tolerance * least:
        rest += abs(coefficients.pop())
    return [float(c) for c in reversed(powers(coefficients))]


def erf_near_zero(u):
    return mp.erf(mp.sqrt(u)) / mp.sqrt(u)


def erfc_tail(t):
    x = mp.mpf("8.5") / (1 - t) - mp.mpf("3.75")
    return (1 + 2 * x) * mp.exp(x * x) * mp.erfc(x)


def erf_inv(w):
    x = mp.sqrt(-mp.expm1(-w))
    return mp.erfinv(x) / x


def erf_inv_near_zero(w):
    return (erf_inv(w) - mp.sqrt(mp.pi) / 2) / w


def log_gamma_near_2(d):
    return mp.loggamma(2 + d).real / (d * (d + 1))


def stirling(u):
    x = 1 / mp.sqrt(u)
    return (mp.loggamma(x) - ((x - mp.mpf(1) / 2) * mp.log(x) - x + mp.log(2 * mp.pi) / 2)) * x


def digamma_far(u):
    x = 1 / mp.sqrt(u)
    return (mp.log(x) - 1 / (2 * x) - mp.digamma(x)) * x * x


def bessel_near(t):
    x = 4 * (t + 1)
    return mp.exp(-x) * mp.besseli(1, x) / x


def bessel_far(t):
    x = 16 / (t + 1)
    return mp.exp(-x) * mp.besseli(1, x) * mp.sqrt(x)


def in_root(function):
    return lambda s: function(s * s)


# Name, what it is, and function and interval for f32 and f64.
STIRLING = (stirling, NEARLY_ZERO, mp.mpf(1) / 64)
TABLES = [
    ("erfNearZero", "erf(x) / x in x^2 on [0, 1]", (erf_near_zero, 0, 1), (erf_near_zero, 0, 1)),
    ("erfcTail", "(1 + 2x) exp(x^2) erfc(x) in 1 - 8.5 / (x + 3.75)", (erfc_tail, -1, 1), (erfc_tail, -1, 1)),
    ("erfInvNearZero", "(erfinv(x) / x - sqrt(pi) / 2) / w in w on [0, 5] and [0, 6.25]",
     (erf_inv_near_zero, 0, 5), (erf_inv_near_zero, 0, 6.25)),
    ("erfInvTail", "erfinv(x) / x in the root of w on [sqrt(5), 4.1] and [2.5, 4]",
     (in_root(erf_inv), mp.sqrt(5), mp.mpf("4.1")), (in_root(erf_inv), 2.5, 4)),
    ("erfInvFar", "the same on [4, 6.1]", None, (in_root(erf_inv), 4, mp.mpf("6.1"))),
    ("logGammaNear2", "lgamma(2 + d) / (d (d + 1)) in d on [-1/2, 1/2]",
     (log_gamma_near_2, -0.5, 0.5), (log_gamma_near_2, -0.5, 0.5)),
    ("stirling", "x times the rest of Stirling's formula in 1 / x^2 on [0, 1/64]", STIRLING, STIRLING),
    ("digammaFar", "x^2 (log(x) - 1 / (2x) - digamma(x)) in 1 / x^2 on [0, 1/64]",
     (digamma_far, NEARLY_ZERO, mp.mpf(1) / 64), (digamma_far, NEARLY_ZERO, mp.mpf(1) / 64)),
    ("besselI1Near", "exp(-x) I1(x) / x in x on [0, 8]", (bessel_near, -1, 1), (bessel_near, -1, 1)),
    ("besselI1Far", "exp(-x) I1(x) sqrt(x) in 1 / x on [0, 1/8]", (bessel_far, -1, 1), (bessel_far, -1, 1)),
]


def array(name, coefficients):
    rows = [", ".join(repr(c) for c in coefficients[i:i + 4]) for i in range(0, len(coefficients), 4)]
    return f"static const double {name}[] = {{\n    " + ",\n    ".join(rows) + "};"


def main():
    print("// Written by fit_tables.py, which says what the tables are.\n")
    print('#include "spmd/passes/legalize/Tables.h"\n')
    print("namespace spmd::legalize::tables {\n")
    for name, what, narrow, wide in TABLES:
        print(f"// {what}")
        if narrow:
            print(array(name + "32", fit(*narrow, TOLERANCE["narrow"])))
            print(array(name + "64", fit(*wide, TOLERANCE["wide"])))
            print(f"constexpr Table {name} = {{{name}32, {name}64}};\n")
        else:
            print(array(name + "64", fit(*wide, TOLERANCE["wide"])))
            print(f"constexpr llvm::ArrayRef<double> {name} = {name}64;\n")
    print("} // namespace spmd::legalize::tables")


main()

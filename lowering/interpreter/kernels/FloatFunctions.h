// Functions of float, written so that loops over them become vectors.
//
// All compute in double, with errors below 2^-35 of the result, and round once: what comes out is
// the nearest float but for one value in some thousands, the same on every machine and wherever an
// element stands. Where a range says so, other arguments are left to the library, element by
// element.
#pragma once

#include "spmd/lowering/interpreter/Vectorized.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>

namespace spmd::floats_by_vector {

SPMD_INLINE uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

SPMD_INLINE double fromBits(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

/// Adding this rounds to an integer, which then stands in the lowest bits.
inline constexpr double roundToInteger = 0x1.8p52;

/// A number as `(1 + fraction) * scale`, where scale is a power of two and exact.
struct Exponential {
  double fraction, scale;
};

/// Returns e^x of any x up to 700 in size; of NaN a fraction that is NaN. With t the whole powers
/// of two in x, the fraction is the Taylor series of x - t ln 2, at most half ln 2 in size.
SPMD_INLINE Exponential exponential(double x) {
  constexpr double log2e = 0x1.71547652b82fep0, ln2 = 0x1.62e42fefa39efp-1;
  double t = x * log2e + roundToInteger;
  double r = x - (t - roundToInteger) * ln2;
  double q = 1.0 / 3628800;
  q = q * r + 1.0 / 362880;
  q = q * r + 1.0 / 40320;
  q = q * r + 1.0 / 5040;
  q = q * r + 1.0 / 720;
  q = q * r + 1.0 / 120;
  q = q * r + 1.0 / 24;
  q = q * r + 1.0 / 6;
  q = q * r + 0.5;
  q = q * r + 1.0;
  return {q * r, fromBits((bitsOf(t) << 52) + (uint64_t{1023} << 52))};
}

/// Brings x to where the results of float have long become 0, 1 or infinite. NaN stays.
SPMD_INLINE double clampedTo(double limit, double x) {
  x = x > limit ? limit : x;
  return x < -limit ? -limit : x;
}

SPMD_INLINE float exp(float x) {
  Exponential e = exponential(clampedTo(200, x));
  return static_cast<float>(e.fraction * e.scale + e.scale);
}

SPMD_INLINE float expm1(float x) {
  Exponential e = exponential(clampedTo(200, x));
  float result = static_cast<float>(e.fraction * e.scale + (e.scale - 1));
  return x == 0 ? x : result; // Keeps the sign of zero.
}

SPMD_INLINE float tanh(float x) {
  Exponential e = exponential(clampedTo(100, 2 * std::fabs(static_cast<double>(x))));
  double t = e.fraction * e.scale + (e.scale - 1);
  return std::copysign(static_cast<float>(t / (t + 2)), x);
}

SPMD_INLINE float logistic(float x) {
  Exponential e = exponential(clampedTo(200, -static_cast<double>(x)));
  return static_cast<float>(1 / (1 + (e.fraction * e.scale + e.scale)));
}

/// Returns the logarithm of any normal positive x: of the power of two in it, and of the rest m, by
/// the series of atanh((m - 1) / (m + 1)).
SPMD_INLINE double logOf(double x) {
  constexpr double ln2 = 0x1.62e42fefa39efp-1, sqrt2 = 0x1.6a09e667f3bcdp0;
  uint64_t bits = bitsOf(x);
  double power = fromBits((bits >> 52) | 0x4330000000000000) - (0x1p52 + 1023);
  double m = fromBits((bits & 0x000fffffffffffff) | 0x3ff0000000000000);
  bool isUpper = m > sqrt2;
  m = isUpper ? m * 0.5 : m;
  power = isUpper ? power + 1 : power;
  double s = (m - 1) / (m + 1), z = s * s;
  double q = 2.0 / 17;
  q = q * z + 2.0 / 15;
  q = q * z + 2.0 / 13;
  q = q * z + 2.0 / 11;
  q = q * z + 2.0 / 9;
  q = q * z + 2.0 / 7;
  q = q * z + 2.0 / 5;
  q = q * z + 2.0 / 3;
  return power * ln2 + (q * z * s + 2 * s);
}

/// What a logarithm has at and beyond the ends of its range, where `argument` is the number itself.
SPMD_INLINE float atEnds(double argument, double result) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  result = argument < infinity ? result : argument;
  result = argument == 0 ? -infinity : result;
  return static_cast<float>(argument < 0 ? std::numeric_limits<double>::quiet_NaN() : result);
}

SPMD_INLINE float log(float x) { return atEnds(x, logOf(x)); }

SPMD_INLINE float log1p(float x) {
  double wide = x, sum = 1 + wide;
  // Near 0 the sum has lost digits.
  double series = wide - wide * wide * (0.5 - wide * (1.0 / 3));
  float result = atEnds(sum, std::fabs(wide) < 1e-4 ? series : logOf(sum));
  return x == 0 ? x : result;
}

/// Sine and cosine of up to this are found by vectors.
inline constexpr float mostAngle = 0x1p17f;

/// Returns the sine of `x + shift` quarters of a turn.
SPMD_INLINE float sineOf(float x, uint64_t shift) {
  constexpr double quartersPerRadian = 0x1.45f306dc9c883p-1;
  // A quarter turn: 33 bits, then the rest, so that the first product is exact.
  constexpr double high = 0x1.921fb544p0, low = 0x1.0b4611a626331p-34;
  double t = static_cast<double>(x) * quartersPerRadian + roundToInteger;
  double quarters = t - roundToInteger;
  double r = (static_cast<double>(x) - quarters * high) - quarters * low, z = r * r;
  double sine = -1.0 / 39916800;
  sine = sine * z + 1.0 / 362880;
  sine = sine * z - 1.0 / 5040;
  sine = sine * z + 1.0 / 120;
  sine = sine * z - 1.0 / 6;
  sine = sine * z * r + r;
  double cosine = 1.0 / 479001600;
  cosine = cosine * z - 1.0 / 3628800;
  cosine = cosine * z + 1.0 / 40320;
  cosine = cosine * z - 1.0 / 720;
  cosine = cosine * z + 1.0 / 24;
  cosine = cosine * z - 0.5;
  cosine = cosine * z + 1;
  uint64_t quarter = bitsOf(t) + shift;
  double value = (quarter & 1) != 0 ? cosine : sine;
  value = (quarter & 2) != 0 ? -value : value;
  return static_cast<float>(value);
}

SPMD_INLINE float sin(float x) {
  float result = sineOf(x, 0);
  return x == 0 ? x : result;
}
SPMD_INLINE float cos(float x) { return sineOf(x, 1); }
SPMD_INLINE bool isAngle(float x) { return std::fabs(x) <= mostAngle; }

/// Powers of what `isBase` to what `isFinite`.
SPMD_INLINE float pow(float base, float exponent) {
  double wide = exponent;
  Exponential e = exponential(clampedTo(200, wide * logOf(std::fabs(static_cast<double>(base)))));
  double value = e.fraction * e.scale + e.scale;
  // An odd power of a negative base is negative, one that is no integer is no number.
  double half = wide * 0.5;
  bool isInteger = std::floor(wide) == wide, isEven = std::floor(half) == half;
  double signedValue =
      isInteger ? (isEven ? value : -value) : std::numeric_limits<double>::quiet_NaN();
  return static_cast<float>(base < 0 ? signedValue : value);
}
SPMD_INLINE bool isFinite(float x) { return std::fabs(x) <= std::numeric_limits<float>::max(); }
SPMD_INLINE bool isBase(float x) { return isFinite(x) && x != 0; }

} // namespace spmd::floats_by_vector

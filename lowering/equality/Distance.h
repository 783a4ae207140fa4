// How far numbers are apart, and how close the numbers of a type lie.
#pragma once

#include "spmd/lowering/interpreter/Elements.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <cstdint>
#include <cstring>
#include <limits>
#include <vector>

namespace spmd {

/// The elements of one result, whatever its type, as f64. What f64 loses of f128 is kept apart.
class Elements {
public:
  Elements() = default;
  explicit Elements(const Tensor &tensor);

  void append(const Elements &others);

  size_t size() const { return nearest.size(); }
  std::complex<double> operator[](size_t i) const { return nearest[i]; }
  auto begin() const { return nearest.begin(); }
  auto end() const { return nearest.end(); }

  bool isOfF128() const { return !rest.empty(); }
  /// Returns what is to be added to element `i`.
  std::complex<double> restOf(size_t i) const { return rest.empty() ? 0 : rest[i]; }

private:
  ComplexDoubles nearest;
  ComplexDoubles rest; ///< Of f128; else empty.
};

/// Returns |a - b|: 0 for equal infinities and for two NaNs, infinity where one of them is not
/// finite and the other is not the same.
inline double distance(std::complex<double> a, std::complex<double> b);

/// Returns the same of element `i` of both.
inline double distance(const Elements &a, const Elements &b, size_t i);

/// Returns |a|.
inline double magnitude(std::complex<double> a) {
  return a.imag() == 0 ? std::fabs(a.real()) : std::abs(a);
}

/// Returns the exponent of a positive number: that of the largest power of two that is not above
/// it. Below the normal numbers it is that of 2^-1023.
inline int exponentOf(double size) {
  uint64_t bits;
  std::memcpy(&bits, &size, sizeof(bits));
  return static_cast<int>(bits >> 52) - 1023;
}

/// Returns 2^`exponent`, a normal number.
inline double powerOfTwo(int exponent) {
  uint64_t bits = static_cast<uint64_t>(exponent + 1023) << 52;
  double power;
  std::memcpy(&power, &bits, sizeof(power));
  return power;
}

/// How close the numbers of an element type lie.
struct Spacing {
  int precision = 24;     ///< Bits of mantissa, with the leading one.
  double leastNormal = 0; ///< The smallest number that has all of them.
  double ulpOfOne = std::ldexp(1.0, 1 - precision);

  /// Returns the distance of neighbouring numbers of magnitude `size`; 0 if that is not finite.
  double ulpAt(double size) const {
    if (!std::isfinite(size))
      return 0;
    return ulpOfOne * powerOfTwo(exponentOf(std::max(size, leastNormal)));
  }
};

/// Returns the spacing of a float or complex type.
Spacing spacingOf(ElementType type);

//===----------------------------------------------------------------------===//

inline double distance(std::complex<double> a, std::complex<double> b) {
  if (a == b)
    return 0;
  double apart = magnitude(a - b);
  if (std::isfinite(apart))
    return apart;
  auto isNaN = [](std::complex<double> z) { return std::isnan(z.real()) || std::isnan(z.imag()); };
  return isNaN(a) && isNaN(b) ? 0 : std::numeric_limits<double>::infinity();
}

inline double distance(const Elements &a, const Elements &b, size_t i) {
  if (a.isOfF128() || b.isOfF128())
    if (double apart = magnitude((a[i] - b[i]) + (a.restOf(i) - b.restOf(i))); std::isfinite(apart))
      return apart;
  return distance(a[i], b[i]);
}

} // namespace spmd

// How far numbers are apart, and how close the numbers of a type lie.
#pragma once

#include "spmd/lowering/program/ElementType.h"

#include <complex>
#include <vector>

namespace spmd {

/// The elements of one result, whatever its type.
using Elements = std::vector<std::complex<double>>;

/// Returns |a - b|: 0 for equal infinities and for two NaNs, infinity where one of them is not
/// finite and the other is not the same.
double distance(std::complex<double> a, std::complex<double> b);

/// How close the numbers of an element type lie.
struct Spacing {
  int precision;      ///< Bits of mantissa, with the leading one.
  double leastNormal; ///< The smallest number that has all of them.

  /// Returns the distance of neighbouring numbers of magnitude `size`; 0 if that is not finite.
  double ulpAt(double size) const;
};

/// Returns the spacing of a float or complex type.
Spacing spacingOf(ElementType type);

} // namespace spmd

#include "spmd/lowering/equality/Distance.h"

#include "spmd/lowering/interpreter/SmallFloat.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spmd {

static bool isNaN(std::complex<double> value) {
  return std::isnan(value.real()) || std::isnan(value.imag());
}

double distance(std::complex<double> a, std::complex<double> b) {
  if (a == b || (isNaN(a) && isNaN(b)))
    return 0;
  double apart = std::abs(a - b);
  return std::isfinite(apart) ? apart : std::numeric_limits<double>::infinity();
}

double Spacing::ulpAt(double size) const {
  if (!std::isfinite(size))
    return 0;
  return std::ldexp(1.0, std::ilogb(std::max(size, leastNormal)) + 1 - precision);
}

Spacing spacingOf(ElementType type) {
  if (isSmallFloat(type)) {
    const FloatFormat &format = formatOf(type);
    return {format.mantissaBits + 1, std::ldexp(1.0, 1 - format.bias)};
  }
  if (type == ElementType::f64 || type == ElementType::complexF64)
    return {std::numeric_limits<double>::digits, std::numeric_limits<double>::min()};
  return {std::numeric_limits<float>::digits, std::numeric_limits<float>::min()};
}

} // namespace spmd

#include "spmd/lowering/equality/Distance.h"

#include "spmd/lowering/interpreter/SmallFloat.h"

#include <limits>

namespace spmd {

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

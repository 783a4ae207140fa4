#include "spmd/lowering/equality/Distance.h"

#include "spmd/lowering/interpreter/Elements.h"
#include "spmd/lowering/interpreter/Float128.h"
#include "spmd/lowering/interpreter/SmallFloat.h"

#include <limits>

namespace spmd {

Elements::Elements(const Tensor &tensor) : nearest(toComplexDoubles(tensor)) {
  ElementType element = tensor.type().element;
  if (element == ElementType::f128) {
    auto *from = tensor.as<Float128>();
    for (size_t i = 0; i < nearest.size(); ++i)
      rest.emplace_back(FloatPair(from[i]).low);
  } else if (element == ElementType::complexF128) {
    auto *from = tensor.as<math::Complex128>();
    for (size_t i = 0; i < nearest.size(); ++i)
      rest.emplace_back(FloatPair(from[i].real()).low, FloatPair(from[i].imag()).low);
  }
}

void Elements::append(const Elements &others) {
  nearest.insert(nearest.end(), others.nearest.begin(), others.nearest.end());
  rest.insert(rest.end(), others.rest.begin(), others.rest.end());
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

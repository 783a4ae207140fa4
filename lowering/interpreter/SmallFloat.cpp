#include "spmd/lowering/interpreter/SmallFloat.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace spmd {

using Specials = FloatFormat::Specials;

double decode(const FloatFormat &format, uint32_t bits) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  if (format.specials == Specials::exponentOnly)
    return bits == 0xff ? nan : std::ldexp(1.0, static_cast<int>(bits) - format.bias);
  uint32_t signBit = 1u << (format.exponentBits + format.mantissaBits);
  uint32_t maxExponent = (1u << format.exponentBits) - 1,
           maxMantissa = (1u << format.mantissaBits) - 1;
  double sign = bits & signBit ? -1.0 : 1.0;
  uint32_t exponent = (bits >> format.mantissaBits) & maxExponent, mantissa = bits & maxMantissa;
  if (format.specials == Specials::ieee && exponent == maxExponent)
    return mantissa ? std::copysign(nan, sign) : sign * std::numeric_limits<double>::infinity();
  if (format.specials == Specials::allOnesNaN && exponent == maxExponent && mantissa == maxMantissa)
    return std::copysign(nan, sign);
  if (format.specials == Specials::negZeroNaN && bits == signBit)
    return nan;
  if (exponent == 0)
    return sign * std::ldexp(mantissa, 1 - format.bias - format.mantissaBits);
  return sign * std::ldexp(mantissa + maxMantissa + 1.0,
                           static_cast<int>(exponent) - format.bias - format.mantissaBits);
}

/// Returns round(value * 2^-scale), ties to even, for a value >= 0 whose result is small.
static uint32_t roundScaled(double value, int scale) {
  return static_cast<uint32_t>(std::nearbyint(std::ldexp(value, -scale)));
}

static uint32_t encodeExponentOnly(const FloatFormat &format, double value) {
  if (!(value > 0) || std::isinf(value))
    return 0xff;
  int exponent = 0;
  double fraction = std::frexp(value, &exponent); // In 0.5 .. 1.
  // The only significant bit is 1, which is odd: half-way is rounded up.
  int code = exponent - 1 + format.bias + (fraction >= 0.75);
  return code > 0xfe ? 0xff : code < 0 ? 0 : code;
}

uint32_t encode(const FloatFormat &format, double value) {
  if (format.specials == Specials::exponentOnly)
    return encodeExponentOnly(format, value);
  int width = format.exponentBits + format.mantissaBits;
  uint32_t signBit = 1u << width, allOnes = signBit - 1;
  uint32_t infinity = allOnes & ~((1u << format.mantissaBits) - 1);
  uint32_t sign = std::signbit(value) ? signBit : 0;
  if (std::isnan(value))
    switch (format.specials) {
    case Specials::ieee:
      return sign | infinity | (1u << (format.mantissaBits - 1));
    case Specials::allOnesNaN:
      return sign | allOnes;
    default:
      return signBit;
    }
  // The largest finite code, and what lies past it.
  uint32_t largest = format.specials == Specials::ieee         ? infinity - 1
                     : format.specials == Specials::allOnesNaN ? allOnes - 1
                                                               : allOnes;
  uint32_t overflow = format.specials == Specials::ieee         ? sign | infinity
                      : format.specials == Specials::allOnesNaN ? sign | allOnes
                      : format.specials == Specials::negZeroNaN ? signBit
                                                                : sign | allOnes;
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return overflow;
  if (magnitude == 0)
    return format.specials == Specials::negZeroNaN ? 0 : sign;
  int exponent = std::max(std::ilogb(magnitude), 1 - format.bias);
  // Codes of equal sign are consecutive: a mantissa that rounds up carries into the exponent.
  uint32_t units = roundScaled(magnitude, exponent - format.mantissaBits);
  int64_t code = (static_cast<int64_t>(exponent + format.bias - 1) << format.mantissaBits) + units;
  if (code > largest)
    return overflow;
  if (code == 0 && format.specials == Specials::negZeroNaN)
    return 0;
  return sign | static_cast<uint32_t>(code);
}

} // namespace spmd

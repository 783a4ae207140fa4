// Floating-point formats that have no C++ type: bf16, f16, and those of 8 bits and less.
#pragma once

#include "spmd/lowering/program/ElementType.h"

namespace spmd {

/// How a format encodes numbers. Follows the ml_dtypes and MLIR types of the same names.
struct FloatFormat {
  /// What the codes with all exponent bits set mean, and where overflow goes.
  enum class Specials : uint8_t {
    ieee,        ///< Infinities and NaNs; overflow gives infinity.
    allOnesNaN,  ///< One NaN per sign, all bits set, no infinity; overflow gives NaN.
    negZeroNaN,  ///< One NaN, the code of -0, no infinity; overflow gives NaN.
    finite,      ///< Neither; overflow gives the largest number, NaN gives -0.
    exponentOnly ///< No sign, no zero; all bits set is NaN.
  };
  int exponentBits;
  int mantissaBits;
  int bias;
  Specials specials;
};

/// In the order of the enum, f4E2M1FN to f16.
inline constexpr FloatFormat smallFloatFormats[] = {
    {2, 1, 1, FloatFormat::Specials::finite},         {2, 3, 1, FloatFormat::Specials::finite},
    {3, 2, 3, FloatFormat::Specials::finite},         {3, 4, 3, FloatFormat::Specials::ieee},
    {4, 3, 7, FloatFormat::Specials::ieee},           {4, 3, 7, FloatFormat::Specials::allOnesNaN},
    {4, 3, 8, FloatFormat::Specials::negZeroNaN},     {4, 3, 11, FloatFormat::Specials::negZeroNaN},
    {5, 2, 15, FloatFormat::Specials::ieee},          {5, 2, 16, FloatFormat::Specials::negZeroNaN},
    {8, 0, 127, FloatFormat::Specials::exponentOnly}, {8, 7, 127, FloatFormat::Specials::ieee},
    {5, 10, 15, FloatFormat::Specials::ieee}};

/// Returns whether `type` is one of the formats of this file.
constexpr bool isSmallFloat(ElementType type) {
  return type >= ElementType::f4E2M1FN && type <= ElementType::f16;
}

/// Returns the format. Requires isSmallFloat(type).
constexpr const FloatFormat &formatOf(ElementType type) {
  return smallFloatFormats[static_cast<int>(type) - static_cast<int>(ElementType::f4E2M1FN)];
}

/// Returns the value of `bits`; exact.
double decode(const FloatFormat &format, uint32_t bits);

/// Returns the code nearest to `value`, ties to even.
uint32_t encode(const FloatFormat &format, double value);

} // namespace spmd

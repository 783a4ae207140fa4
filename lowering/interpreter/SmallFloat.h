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

/// Returns whether `type` is one of the formats of this file.
bool isSmallFloat(ElementType type);

/// Returns the format. Requires isSmallFloat(type).
const FloatFormat &formatOf(ElementType type);

/// Returns the value of `bits`; exact.
double decode(const FloatFormat &format, uint32_t bits);

/// Returns the code nearest to `value`, ties to even.
uint32_t encode(const FloatFormat &format, double value);

} // namespace spmd

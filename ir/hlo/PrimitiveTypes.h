//===- PrimitiveTypes.h - the element types of HLO --------------*- C++ -*-===//

#ifndef SPMD_IR_HLO_PRIMITIVETYPES_H
#define SPMD_IR_HLO_PRIMITIVETYPES_H

#include "spmd/ir/hlo/xla_data.pb.h"

#include <string_view>

namespace spmd::hlo {

/// How the elements of a type are written, and in which field of a literal they stand.
enum class ElementKind { None, Bool, Signed, Unsigned, Float, Complex };

/// How a floating-point type lays out its bits: sign, exponent, mantissa.
struct FloatFormat {
  int exponentBits;
  int mantissaBits;
  int bias;
  /// Which bit patterns are no numbers.
  enum Special {
    Ieee,   ///< The largest exponent: infinities and NaNs.
    Fn,     ///< All ones is NaN; no infinities.
    Fnuz,   ///< The negative zero is NaN; no infinities.
    Finite, ///< None.
    Scale,  ///< No sign, no mantissa, no zero; all ones is NaN.
  } special;
};

struct PrimitiveTypeInfo {
  PrimitiveType type;
  std::string_view name; ///< As in text: `f32`.
  ElementKind kind;
  int bits; ///< Of an element; of both parts of a complex one.
  FloatFormat format = {};
};

/// Returns what is known of `type`, or null if it is none.
const PrimitiveTypeInfo *findPrimitiveType(PrimitiveType type);

/// Returns the type written `name`, or null.
const PrimitiveTypeInfo *findPrimitiveType(std::string_view name);

/// Returns the value that the low bits of `bits` stand for.
double decodeFloat(const FloatFormat &format, uint32_t bits);

/// Returns the bits of the number of `format` next to `value`, ties to even. What is too large
/// becomes infinity, or the largest number where there is none; NaN becomes zero where there is
/// none.
uint32_t encodeFloat(const FloatFormat &format, double value);

} // namespace spmd::hlo

#endif

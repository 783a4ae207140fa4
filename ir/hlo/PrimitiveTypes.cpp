// The table of element types, and the bits of the small floating-point ones.

#include "spmd/ir/hlo/PrimitiveTypes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace spmd::hlo {

using F = FloatFormat;

static constexpr PrimitiveTypeInfo types[] = {
    {PRED, "pred", ElementKind::Bool, 8},
    {S1, "s1", ElementKind::Signed, 1},
    {S2, "s2", ElementKind::Signed, 2},
    {S4, "s4", ElementKind::Signed, 4},
    {S8, "s8", ElementKind::Signed, 8},
    {S16, "s16", ElementKind::Signed, 16},
    {S32, "s32", ElementKind::Signed, 32},
    {S64, "s64", ElementKind::Signed, 64},
    {U1, "u1", ElementKind::Unsigned, 1},
    {U2, "u2", ElementKind::Unsigned, 2},
    {U4, "u4", ElementKind::Unsigned, 4},
    {U8, "u8", ElementKind::Unsigned, 8},
    {U16, "u16", ElementKind::Unsigned, 16},
    {U32, "u32", ElementKind::Unsigned, 32},
    {U64, "u64", ElementKind::Unsigned, 64},
    {F16, "f16", ElementKind::Float, 16, {5, 10, 15, F::Ieee}},
    {BF16, "bf16", ElementKind::Float, 16, {8, 7, 127, F::Ieee}},
    {F32, "f32", ElementKind::Float, 32, {8, 23, 127, F::Ieee}},
    {F64, "f64", ElementKind::Float, 64, {11, 52, 1023, F::Ieee}},
    {F8E5M2, "f8e5m2", ElementKind::Float, 8, {5, 2, 15, F::Ieee}},
    {F8E4M3, "f8e4m3", ElementKind::Float, 8, {4, 3, 7, F::Ieee}},
    {F8E3M4, "f8e3m4", ElementKind::Float, 8, {3, 4, 3, F::Ieee}},
    {F8E4M3FN, "f8e4m3fn", ElementKind::Float, 8, {4, 3, 7, F::Fn}},
    {F8E4M3B11FNUZ, "f8e4m3b11fnuz", ElementKind::Float, 8, {4, 3, 11, F::Fnuz}},
    {F8E5M2FNUZ, "f8e5m2fnuz", ElementKind::Float, 8, {5, 2, 16, F::Fnuz}},
    {F8E4M3FNUZ, "f8e4m3fnuz", ElementKind::Float, 8, {4, 3, 8, F::Fnuz}},
    {F8E8M0FNU, "f8e8m0fnu", ElementKind::Float, 8, {8, 0, 127, F::Scale}},
    {F4E2M1FN, "f4e2m1fn", ElementKind::Float, 4, {2, 1, 1, F::Finite}},
    {F6E3M2FN, "f6e3m2fn", ElementKind::Float, 6, {3, 2, 3, F::Finite}},
    {F6E2M3FN, "f6e2m3fn", ElementKind::Float, 6, {2, 3, 1, F::Finite}},
    {C64, "c64", ElementKind::Complex, 64},
    {C128, "c128", ElementKind::Complex, 128},
    {TUPLE, "tuple", ElementKind::None, 0},
    {OPAQUE_TYPE, "opaque", ElementKind::None, 0},
    {TOKEN, "token", ElementKind::None, 0},
    {BUFFER, "b", ElementKind::None, 0},
};

const PrimitiveTypeInfo *findPrimitiveType(PrimitiveType type) {
  static const auto byNumber = [] {
    std::array<const PrimitiveTypeInfo *, PrimitiveType_ARRAYSIZE> table{};
    for (const PrimitiveTypeInfo &info : types)
      table[info.type] = &info;
    return table;
  }();
  return type >= 0 && type < PrimitiveType_ARRAYSIZE ? byNumber[type] : nullptr;
}

const PrimitiveTypeInfo *findPrimitiveType(std::string_view name) {
  auto found = std::find_if(std::begin(types), std::end(types),
                            [&](const PrimitiveTypeInfo &info) { return info.name == name; });
  return found == std::end(types) ? nullptr : found;
}

//===- Bits of floating-point numbers ---------------------------------------===//

static uint32_t mantissaMask(const FloatFormat &format) { return (1u << format.mantissaBits) - 1; }

static uint32_t exponentMask(const FloatFormat &format) { return (1u << format.exponentBits) - 1; }

/// Returns the largest finite magnitude, as bits without the sign.
static uint32_t largest(const FloatFormat &format) {
  uint32_t allOnes = (exponentMask(format) << format.mantissaBits) | mantissaMask(format);
  switch (format.special) {
  case FloatFormat::Ieee:
    return allOnes - mantissaMask(format) - 1;
  case FloatFormat::Fn:
  case FloatFormat::Scale:
    return allOnes - 1;
  case FloatFormat::Fnuz:
  case FloatFormat::Finite:
    return allOnes;
  }
  return allOnes;
}

static bool isNan(const FloatFormat &format, uint32_t magnitude, bool negative) {
  switch (format.special) {
  case FloatFormat::Ieee:
    return magnitude > largest(format) + 1;
  case FloatFormat::Fn:
  case FloatFormat::Scale:
    return magnitude > largest(format);
  case FloatFormat::Fnuz:
    return negative && magnitude == 0;
  case FloatFormat::Finite:
    return false;
  }
  return false;
}

double decodeFloat(const FloatFormat &format, uint32_t bits) {
  int width = format.exponentBits + format.mantissaBits;
  bool negative = format.special != FloatFormat::Scale && ((bits >> width) & 1);
  uint32_t magnitude = bits & ((1u << width) - 1);
  double sign = negative ? -1 : 1;
  if (isNan(format, magnitude, negative))
    return std::copysign(std::numeric_limits<double>::quiet_NaN(), sign);
  if (magnitude > largest(format))
    return sign * std::numeric_limits<double>::infinity();
  int exponent = static_cast<int>(magnitude >> format.mantissaBits);
  double mantissa = magnitude & mantissaMask(format);
  bool subnormal = exponent == 0 && format.special != FloatFormat::Scale;
  if (!subnormal)
    mantissa += 1u << format.mantissaBits;
  return sign *
         std::ldexp(mantissa, (subnormal ? 1 : exponent) - format.bias - format.mantissaBits);
}

static uint32_t nanBits(const FloatFormat &format) {
  uint32_t allOnes = (exponentMask(format) << format.mantissaBits) | mantissaMask(format);
  switch (format.special) {
  case FloatFormat::Ieee: // The quiet one.
    return (exponentMask(format) << format.mantissaBits) | (1u << (format.mantissaBits - 1));
  case FloatFormat::Fn:
  case FloatFormat::Scale:
    return allOnes;
  case FloatFormat::Fnuz:
    return allOnes + 1;
  case FloatFormat::Finite:
    return 0;
  }
  return 0;
}

uint32_t encodeFloat(const FloatFormat &format, double value) {
  int width = format.exponentBits + format.mantissaBits;
  uint32_t sign = std::signbit(value) && format.special != FloatFormat::Scale ? 1u << width : 0;
  if (std::isnan(value)) {
    uint32_t bits = nanBits(format);
    return format.special == FloatFormat::Ieee || format.special == FloatFormat::Fn ? bits | sign
                                                                                    : bits;
  }
  uint32_t beyond = format.special == FloatFormat::Ieee ? largest(format) + 1 : largest(format);
  double magnitude = std::fabs(value);
  if (std::isinf(magnitude))
    return sign | beyond;
  if (magnitude == 0)
    return format.special == FloatFormat::Fnuz ? 0 : sign;
  // The smallest exponent is that of the subnormal numbers; a scale has none.
  int least = (format.special == FloatFormat::Scale ? 0 : 1) - format.bias;
  int exponent = std::max(std::ilogb(magnitude), least);
  double rounded = std::nearbyint(std::ldexp(magnitude, format.mantissaBits - exponent));
  uint32_t mantissa = static_cast<uint32_t>(rounded);
  // The hidden bit adds itself to the exponent, as does a mantissa rounded up to the next power of
  // two.
  int64_t bits = mantissa + (static_cast<int64_t>(exponent - least) << format.mantissaBits);
  if (format.special == FloatFormat::Scale)
    bits = std::max<int64_t>(bits - 1, 0);
  uint32_t result = bits > beyond ? beyond : static_cast<uint32_t>(bits);
  return result == 0 && format.special == FloatFormat::Fnuz ? 0 : result | sign;
}

} // namespace spmd::hlo
